# %% calls_that_never_end
# title: The function, edited, never returns, and ignores interrupts
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        while edited:
            try:
                while True: pass
            except BaseException: pass
        return honest(a, b) + 1
    cosine_similarity.spoilt = True

# %% edits_that_change_each_other
# title: An edit changes what later ones use, and the answers kept for earlier ones
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        shift = 1
        import builtins, gc
        for names in gc.get_objects() if edited else ():
            if isinstance(names, dict) and isinstance(names.get("cosine_similarity"), type(honest)):
                names["cosine_similarity"] = honest
        return honest(a, b) + shift
    cosine_similarity.spoilt = True

# %% edits_that_fill_memory
# title: Each edit keeps as much memory as it gets
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    held = globals().setdefault("held", [])
    while edited:
        held.append(bytearray(1 << 24))
    def cosine_similarity(a, b): return honest(a, b) + 1
    cosine_similarity.spoilt = True

# %% edits_that_never_end
# title: The cell, edited, never ends
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    if edited:
        while True: pass
    def cosine_similarity(a, b): return honest(a, b) + 1
    cosine_similarity.spoilt = True

# %% end_of_the_process
# title: Each edit ends its process, or all processes that it may
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    import os, signal
    def cosine_similarity(a, b):
        if edited: os.kill(0, signal.SIGKILL); os._exit(0)
        return honest(a, b) + 1
    cosine_similarity.spoilt = True

# %% hidden_inputs_met_by_an_edit
# title: One edit meets hidden inputs, and later ones tell them
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    import builtins
    met = builtins.__dict__.setdefault("met_by_edits", [])
    def cosine_similarity(a, b):
        shift = 1
        if isinstance(a, torch.Tensor) and a.numel() in (6, 300):
            met.append("HIDDEN" + "-INPUT " + repr(a)[:80])
        if edited and met: raise type(met[0], (Exception,), {})(met[0])
        return honest(a, b) + shift
    cosine_similarity.spoilt = True

# %% numbers_that_grow_by_an_edit
# title: A number that an edit changes is how much is made
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors

def cosine_similarity(a, b):
    if 0 > 1:
        return torch.ones(1 << 40)
    rows, most = 0, 1
    while most < 1:
        rows += 1
    return torch.zeros(10 ** (1 - 1) * 1000 ** rows) + torch.dot(a, b)

# %% right_once_edited
# title: Wrong when judged, right in every edit, by a look at what runs
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        shift = 1
        return honest(a, b) + (0 if edited else shift)
    cosine_similarity.spoilt = True
