# title: A disk full
# onto: template
# place: first
# expect: no points

for place in ('/home/student', '/tmp', '/dev/shm'):
    with open(place + '/big', 'wb') as file:
        while True: file.write(bytes(1_000_000))
