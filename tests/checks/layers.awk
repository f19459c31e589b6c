# Functions of layers.sh and links.sh: which folder of src may use which, by src/layers.txt. A folder is what stands between
# src/ and the file's name: "fluid", "kinds/rigid". Folders kinds/NAME that are not listed stand behind the last one that is,
# or where "kinds" is listed. Folders joined by + are one layer.
function read_layers(  line, n, word, m, part, j, k) {
  while ((getline line < "src/layers.txt") > 0) {
    n = split(line, word, " ")
    if (n == 0 || word[1] == "#") continue
    for (k = 2; k <= n; ++k) {
      m = split(word[k], part, "+")
      for (j = 1; j <= m; ++j) {
        library_of[part[j]] = word[1]
        rank_of[part[j]] = k
        if (part[j] == "kinds") other_kinds = k
        if (part[j] ~ /^kinds\//) other_kinds = k + 0.5
      }
    }
  }
}

# Of a path in src, without "src/".
function folder_of(path) {
  sub(/\/[^\/]*$/, "", path)
  return path
}

function is_layer(folder) {
  if (!(folder in rank_of) && folder ~ /^kinds\/[^\/]*$/ && other_kinds > 0) {
    library_of[folder] = "core"
    rank_of[folder] = other_kinds
  }
  return folder in rank_of
}

# Of two layers.
function may_use(from, to) {
  return library_of[from] == library_of[to] && rank_of[to] <= rank_of[from]
}
