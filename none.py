import json, sys
json.load(sys.stdin)
print("{\"idom\": {}}")
