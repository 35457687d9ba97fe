# confusion: in a loop
# Lists of lists.
def confusion(truth, predicted, count):
    result = [[0] * count for _ in range(count)]
    for true, guess in zip(truth, predicted):
        result[true][guess] += 1
    return result
