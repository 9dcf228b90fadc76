import json, sys
blocks = json.load(sys.stdin)["functions"][0]["blocks"]
json.dump({"divergent": [b["id"] for b in blocks]}, sys.stdout)
