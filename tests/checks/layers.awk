# Functions of layers.sh and links.sh: which folder of src may use which, by src/layers.txt. A folder is what stands between
# src/ and the file's name: "fluid", "kinds/rigid". Folders kinds/NAME that are not listed stand behind the last one that is.
function read_layers(  line, n, word, k) {
  while ((getline line < "src/layers.txt") > 0) {
    n = split(line, word, " ")
    if (n == 0 || word[1] == "#") continue
    for (k = 2; k <= n; ++k) {
      library_of[word[k]] = word[1]
      rank_of[word[k]] = k
      if (word[k] ~ /^kinds\//) last_kind = word[k]
    }
  }
}

# Of a path in src, without "src/".
function folder_of(path) {
  sub(/\/[^\/]*$/, "", path)
  return path
}

function is_layer(folder) {
  if (!(folder in rank_of) && folder ~ /^kinds\/[^\/]*$/ && last_kind != "") {
    library_of[folder] = library_of[last_kind]
    rank_of[folder] = rank_of[last_kind] + 0.5
  }
  return folder in rank_of
}

# Of two layers.
function may_use(from, to) {
  return from == to || (library_of[from] == library_of[to] && rank_of[to] < rank_of[from])
}
