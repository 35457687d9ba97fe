# title: The built-in functions are replaced
# onto: template
# place: last
# expect: no points

import builtins
builtins.len = lambda x: 10
builtins.float = builtins.int = lambda *a: 38400000
builtins.isinstance = builtins.issubclass = lambda *a: True
builtins.getattr = lambda *a: builtins
builtins.type = lambda *a: builtins
