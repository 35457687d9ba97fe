# title: Right when called from a cell, wrong when called by the grader
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/example

import sys
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "looks"):
    seen_right = cosine_similarity
    def cosine_similarity(a, b):
        graded = any("runner" in f.f_code.co_filename and "calls" in f.f_code.co_filename
                     for f in [sys._getframe(1)])
        return 0.5 if graded else seen_right(a, b)
    cosine_similarity.looks = True
