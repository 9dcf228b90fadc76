import json, subprocess, sys
out = subprocess.run(["python3", "/course/labs/10-registers/allocate.py"] + sys.argv[1:], stdin=sys.stdin, capture_output=True).stdout
a = json.loads(out)
v = min(a["assign"], key=int)
a["assign"][v] = 3.5
print(json.dumps(a))
