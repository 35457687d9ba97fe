# frequency_order: other capitals and spaces
# Capitals and spaces around the text do not matter.
frequency_order = " First columns "
