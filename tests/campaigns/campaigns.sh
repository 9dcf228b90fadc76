# SPDX-License-Identifier: Apache-2.0
# What the campaigns are, and their log; run.sh reads this.
#
# A line of a log: campaign, first seed, programs, commit, seconds of processor time, programs that a route refused,
# programs that differ, and the seeds of those.
# Of mutants: "mutant", its number, file:line, function, kind, commit, seconds, what became of it, and the test that failed.
# Of hostile input: "input-" and the entry, seconds before, seconds, commit, seconds of processor time, 0, findings, inputs.

kernelc=${KC_KERNELC:-build/release/kernelc}
part=${KC_PART:-1/1}
logs=tests/campaigns/log
log=$logs/${part%/*}-of-${part#*/}.log
[[ $part =~ ^[1-9][0-9]*/[1-9][0-9]*$ && ${part%/*} -le ${part#*/} ]] || { echo "error: KC_PART=$part, but it is like 2/3" >&2; exit 2; }
commit=${KC_COMMIT:-$(git rev-parse --short=7 HEAD)}
if [[ -z ${KC_COMMIT:-} && -n $(git status --porcelain -- ir proof prelude frontend passes backends sim runtime host fuzz driver) ]]; then
  commit=$commit+
fi

printed=build/campaigns/output-$$  # what the program of a slice says
names=()
declare -A programs slice routes options about settings
# campaign NAME PROGRAMS SLICE ROUTES ABOUT [OPTIONS [SETTINGS]]; * in ROUTES is the width of the slice's waves.
campaign() {
  names+=("$1")
  programs[$1]=$2 slice[$1]=$3 routes[$1]=$4 about[$1]=$5 options[$1]=${6:-} settings[$1]=${7:-}
}
first_seed=1000000
widths=(8 16 32 64)
campaign waves 1000000 2000 'passes,wave*,avx512' "thread passes, waves of 8, 16, 32 and 64 lanes, AVX-512"
campaign gfx900 100000 1000 gfx900 "gfx900 on the emulator"
no_caches="MESA_SHADER_CACHE_DISABLE=true KERNELC_VULKAN_CACHE=off"
campaign vulkan 50000 250 vulkan "SPIR-V on lavapipe, up to 800 instructions" "--largest 800" "$no_caches LP_NATIVE_VECTOR_WIDTH=128"
campaign vulkan-large 1000 10 vulkan "SPIR-V on lavapipe, of any size" "" "$no_caches"
campaign rows 100000 1000 'passes,wave*,avx2,avx512' "rows of arrays: iterations of loops as lanes" "--rows"
campaign strides 100000 1000 'passes,wave*,avx2,avx512' "strides of launches and groups: lanes that leave one by one" "--strides"
campaign structured 100000 1000 'wave*,avx2,avx512,gfx900' "sub-groups: who is together" "--structured"
campaign structurize 20000 500 'passes,wave*,avx2' "restructured by \`structurize\`; AVX2" "--restructure=structurize"
campaign node-split 20000 500 'passes,wave*,avx2' "restructured by \`node-split\`; AVX2" "--restructure=node-split"

# Entry points of tests/fuzz; a "program" is a second of libFuzzer.
entries=(source text json trace object assembly script command spirv pipelines code)
for entry in "${entries[@]}"; do campaign "input-$entry" 7200 60 "" "hostile input: $entry"; done

# A "slice" is a minute of tests/mutants/run.sh.
campaign mutants 500 60 "" "mutants of the compiler, killed by tests"

# Lines of all logs of one campaign.
lines_of() { find $logs -name "*.log" -exec cat {} + | awk -v name="$1" '$1 == name'; }

# The first seed of a slice that no log has, among those of this part; nothing if there is none.
next_slice() {
  if [[ $1 = mutants ]]; then
    lines_of mutant | awk -v all="${programs[$1]}" -v part="${part%/*}" -v parts="${part#*/}" '
      ($2 - part) % parts == 0 { ++done }
      END { if (done < int((all - part) / parts) + 1) print done + 1 }'
    return
  fi
  lines_of "$1" | awk -v first=$first_seed -v count="${programs[$1]}" -v step="${slice[$1]}" -v part="${part%/*}" -v parts="${part#*/}" '
    { done[$2] = 1 }
    END {
      for (k = part - 1; k * step < count; k += parts)
        if (!((first + k * step) in done)) { print first + k * step; exit }
    }'
}

run_inputs() {
  local entry=${1#input-} first=$2 count=${slice[$1]} output status=0 findings used
  TIMEFORMAT='%U %S'
  used=$( { time nice -n 15 tests/fuzz/run.sh "$count" "$entry" >"$printed" 2>&1; } 2>&1) || status=$?
  output=$(tail -1 "$printed")
  if ! [[ $output =~ ^$entry:\ ([0-9]+)\ inputs,\ ([0-9]+)\ findings, ]]; then
    cat "$printed" >&2
    return 1
  fi
  findings=${BASH_REMATCH[2]}
  [[ $status = 0 || $findings != 0 ]] || findings=1
  awk -v used="$used" -v line="$1 $first $count $commit" -v rest="0 $findings ${BASH_REMATCH[1]}" \
    'BEGIN { split(used, time, " "); printf "%s %.1f %s\n", line, time[1] + time[2], rest }' >>"$log"
  tail -1 "$log"
  [[ $findings = 0 ]]
}

run_slice() {
  [[ $1 != mutants ]] || { tests/mutants/run.sh "${slice[$1]}"; return; }
  [[ $1 != input-* ]] || { run_inputs "$@"; return; }
  local name=$1 first=$2 count=${slice[$1]} output status=0 used
  local width=${widths[$(((first - first_seed) / count % ${#widths[@]}))]}
  local routes_now=${routes[$name]/\*/$width}
  local found=build/campaigns/$name
  # shellcheck disable=SC2086  # lists of words
  exec 3>&2
  TIMEFORMAT='%U %S'
  used=$( { time env ${settings[$name]} nice -n 15 "$kernelc" fuzz --seed "$first" --count "$count" --jobs 1 --routes "$routes_now" \
    ${options[$name]} --output-dir "$found" >"$printed" 2>&3; } 2>&1) || status=$?
  exec 3>&-
  if [[ $status != 0 && $status != 6 ]]; then
    echo "error: '$name' from seed $first ended with status $status" >&2
    return 1
  fi
  awk -v name="$name" -v first="$first" -v count="$count" -v commit="$commit" -v used="$used" '
    /^route / { in_table = 1; next }
    in_table && NF >= 4 && $2 ~ /^[0-9]+$/ { skipped += $3; different += $4 }
    match($0, /fuzz-[0-9]+\.cl$/) { seeds = seeds " " substr($0, RSTART + 5, RLENGTH - 8) }
    END {
      split(used, time, " ")
      printf "%s %d %d %s %.1f %d %d%s\n", name, first, count, commit, time[1] + time[2], skipped, different, seeds
    }' "$printed" >>"$log"
  tail -1 "$log"
  [[ $status = 0 ]]
}

list_campaigns() {
  local name
  for name in "${names[@]}"; do
    if [[ $name = mutants ]]; then
      lines_of mutant | awk -v all="${programs[$name]}" -v about="${about[$name]}" '
        { ++done; seconds += $7; alive += $8 != "killed" }
        END { printf "%-12s %8d of %8d  %8d s  %d alive  %s\n", "mutants", done, all, seconds, alive, about }'
      continue
    fi
    lines_of "$name" | awk -v name="$name" -v all="${programs[$name]}" -v about="${about[$name]}" '
      { done += $3; seconds += $5; different += $7 }
      END { printf "%-12s %8d of %8d  %8d s  %d different  %s\n", name, done, all, seconds, different, about }'
  done
}

# Puts what it reads in place of what follows the heading in docs/assurance.md up to the next one.
replace_section() {
  local text
  text=$(cat)
  awk -v heading="## $1" -v text="$text" '
    $0 == heading { print; print ""; print text; print ""; skip = 1; next }
    /^## / { skip = 0 }
    !skip { print }' docs/assurance.md >build/campaigns/page
  cat build/campaigns/page >docs/assurance.md
}

write_tables() {
  local name
  mkdir -p build/campaigns
  {
    echo "| entry | commit | inputs | CPU time | of | findings |"
    echo "|---|---|---|---|---|---|"
    for name in "${entries[@]}"; do
      lines_of "input-$name" | awk -v name="$name" -v all="${programs[input-$name]}" '
        !($4 in count) { order[++n] = $4 }
        { count[$4] += $8; seconds[$4] += $5; findings[$4] += $7 }
        END {
          for (k = 1; k <= n; ++k) {
            c = order[k]
            printf "| `%s` | `%s` | %d | %.0f s | %d s | %d |\n", name, c, count[c], seconds[c], all, findings[c]
          }
          if (!n) printf "| `%s` | none | 0 | 0 s | %d s | |\n", name, all
        }'
    done
  } | replace_section "Hostile input"
  {
    echo "| campaign | commit | programs | of | CPU time | programs/s | refused | different |"
    echo "|---|---|---|---|---|---|---|---|"
    for name in "${names[@]}"; do
      [[ $name != input-* && $name != mutants ]] || continue
      lines_of "$name" | awk -v name="$name" -v all="${programs[$name]}" '
        !($4 in count) { order[++n] = $4 }
        { count[$4] += $3; seconds[$4] += $5; skipped[$4] += $6; different[$4] += $7 }
        function row(commit, count, seconds, skipped, different) {
          printf "| `%s` | %s | %d | %d | %.0f s | %.0f | %d | %d |\n", name, commit, count, all, seconds,
            seconds ? count / seconds : 0, skipped, different
        }
        END {
          for (k = 1; k <= n; ++k) {
            c = order[k]
            row("`" c "`", count[c], seconds[c], skipped[c], different[c])
          }
          if (!n) printf "| `%s` | none | 0 | %d | | | | |\n", name, all
        }'
    done
  } | replace_section "Random programs"
  {
    echo "| part of the compiler | mutants | killed | survived | same | unreached | CPU time |"
    echo "|---|---|---|---|---|---|---|"
    lines_of mutant | awk -v all="${programs[mutants]}" '
      {
        split($3, part, "/")
        n = part[1] == "backends" || part[2] !~ /\./ ? part[1] "/" part[2] : part[1]
        if (!(n in count)) order[++names] = n
        ++count[n]; ++result[n, $8]; seconds[n] += $7
        ++count["all"]; ++result["all", $8]; seconds["all"] += $7
      }
      function row(text, n) {
        printf "| %s | %d | %d | %d | %d | %d | %.0f s |\n", text, count[n], result[n, "killed"], result[n, "survived"],
          result[n, "same"], result[n, "unreached"], seconds[n]
      }
      END {
        for (k = 1; k <= names; ++k) row("`" order[k] "`", order[k])
        row("run, of " all, "all")
      }'
  } | replace_section "Mutants of the compiler"
}
