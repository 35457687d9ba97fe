# title: A frame that claims 2**63 bytes
# onto: template
# place: first
# expect: no points

import os
os.write(3, (2**63).to_bytes(8, 'big'))
