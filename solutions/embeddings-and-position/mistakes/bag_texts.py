# bag_of_words: answers in words
# Your answers are strings. Use True and False, without quotation marks, or the result of a
# comparison.
equal_without_positions = "yes"
equal_with_positions = "no"
