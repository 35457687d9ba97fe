# title: Result files
# onto: template
# place: first
# expect: no points

open('results.json', 'w').write('56'); open('/tmp/grades.db', 'w').write('5')
