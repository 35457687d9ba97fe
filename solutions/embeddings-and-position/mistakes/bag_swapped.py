# bag_of_words: the two answers are swapped
# Your two answers are swapped. Which of them is about the token vectors alone?
equal_without_positions = False
equal_with_positions = True
