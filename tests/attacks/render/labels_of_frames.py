# title: Markup, controls and code in the labels and cells of data frames
# onto: template
# place: own
# expect: no points

import pandas as pd
bad = "<img src=x onerror=alert(1)>`</code><script>1</script>\x1b[31m\u202e\n" + "{{ 7 * 7 }}"
big_params = pd.DataFrame({bad: [bad]}, index=[bad]); pe = pd.Series([bad], name=bad)
via_call = pd.DataFrame({bad: [[bad]]}); via_index = pd.Index([bad]); one_hot = pd.Categorical([bad])
halved_dim_params = {bad: pd.DataFrame([[bad]])}
