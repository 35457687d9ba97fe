# bag_of_words: answers in words
# Your answers are texts. Use True and False, without quotation marks; a comparison gives them.
equal_without_positions = "yes"
equal_with_positions = "no"
