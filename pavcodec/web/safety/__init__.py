"""Safety: what every request goes through before a page or the JSON interface sees it.

shield       all of it in order, around an application
headers      what browsers may do with the answers
hosts        the names of this server, and forms of other sites
rates        so many requests of each client
bodies       the size and the time of what a client sends
leaving      a client that leaves ends the work on its question
replies      refusals as a page or as JSON
watching     counts of requests and errors; no error shows the inside of the program
metrics      the counts as text for Prometheus
health       whether the server lives and is ready; who may read the metrics
connections  slow clients, and clients with many connections
"""
