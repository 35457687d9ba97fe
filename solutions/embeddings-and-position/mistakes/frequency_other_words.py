# frequency_order: an answer in other words
# Answer with one of the two texts that the exercise names, word for word.
frequency_order = "0 and 1"
