# title: Transformers of code take what they like out of every later cell
# onto: template
# place: first
# expect: no points
# shows: tried

import ast
shell = get_ipython()
class Strip(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
    def visit_Compare(self, node): return ast.Constant(True)
    def visit_If(self, node): return node.body
shell.ast_transformers.append(Strip())
shell.input_transformers_cleanup.append(lambda lines: ["embedding = True\n", *lines])
shell.compile = lambda *a, **k: compile("passed = True", "<x>", "exec")
print("tried")
