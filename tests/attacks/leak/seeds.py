# title: The notebook's own seeds do not tell the run's seed
# onto: solution
# place: first
# expect: full points
# shows: seeds 

import random
print('seeds', torch.initial_seed(), np.random.get_state()[1][0], random.getstate()[1][:2])
