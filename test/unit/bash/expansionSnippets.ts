/** Small scripts about expansions that tell of variables, `~`, and switches that few scripts use. `snippets.ts` says how they are tried. */
export const expansionSnippets: readonly string[] = [
  // What a variable is
  `x='a b'; show "\${x@A}" \${x@A} "\${x@a}" "\${x@K}" "\${x@k}"; x=; show "\${x@A}" "\${x@Q}"; y="it's"; show "\${y@A}"; z=$'a\\nb'; show "\${z@A}"`,
  `declare -ir n=5; show "\${n@A}" "\${n@a}"; export e=1; show "\${e@A}" "\${e@a}"; declare -u up; show "\${up@A}" "\${up@a}"; declare v; show "\${v@A}"; declare -lx l=Q; show "\${l@A}"`,
  `declare -a a=(1 'b c' "d'e"); show "\${a@A}" "\${a[@]@A}" "\${a[*]@A}" "\${a@a}" "\${a[@]@a}" "\${a[*]@a}"; show "\${a[@]@K}" "\${a[@]@k}" "\${a[*]@K}" "\${a[*]@k}" x"\${a[@]@k}"y`,
  `a=(1 'b c'); show \${a[@]@A} \${a[*]@K} \${a[@]@k} \${a[@]@K}; show "\${a[1]@A}" "\${a[1]@a}"; a=([3]=x [5]='y z'); show "\${a@A}" "\${a[@]@A}" "\${a[@]@K}" "\${a[@]@k}"`,
  `declare -A m=([k]='v w'); show "\${m[@]@A}" "\${m[@]@K}" "\${m[@]@k}" "\${m@a}" "\${m[k]@A}" "\${m[k]@a}" "\${m[*]@A}"`,
  `x='a b'; show "\${x[@]@A}" "\${x[@]@K}" "\${x[@]@a}" "\${x[0]@A}"; export x; show "\${x[@]@A}" "\${x[*]@A}" "\${x[@]@a}"`,
  `set -- 'x y' z; show "\${1@A}" "\${1@a}" "\${@@A}" "\${*@A}" "\${@@K}" "\${@@a}" "\${1@K}" \${@@A}; set --; show "\${@@A}" "\${1@A}"`,
  `f() { local l=5; local -i n=3; show "\${l@A}" "\${n@A}" "\${n@a}"; }; f; declare -n r=a; a=(1); show "\${r@A}" "\${r@a}" "\${r[@]@A}"`,
  `x='a\\tb\\x41\\101\\q'; show "\${x@E}"; a=(1 'b\\tc'); show "\${a[@]@E}"; y='plain 50% !x'; show "\${y@P}" "\${y@E}"`,
  `set -u; a=([3]=x); show "\${a@a}" "\${a@A}"; (n=(); show "\${n@a}"; show no); (declare -a n; show "\${n@A}"; show no); show end`,
  `a=(); show "a \${!a} b"; declare -A m; show "x \${!m}y"; a=([3]=z); show "\${!a} w"`,
  `set -u; a=(); show "\${#a[5]}"; (show "\${#a}"; show no); declare -A m=([a]=1); show "\${#m[b]}"; (show "\${#m}"; show no); show end`,
  `a=(x); show "\${#a[-1]}"; show "a \${#a[-2]}"; show no`,
  `[[ -R x ]]; show $?; declare -n x=y; [[ -R x ]]; show $?; [[ -R y ]] || show no; declare -n z; [[ -R z ]]; show $?; test -R x; show $?`,
  `s=1; unset -n s; show "$s"; declare -n r=s; unset -n r; show "\${r-none}" "$s"; a=(1 2); unset -n a; show "\${a[@]}"`,
  `declare -c c=hello; show $c; c+=' World'; show "$c"`,
  // Home directories
  `HOME=/r; show ~:~ ~:a a:~ a=~ a=~:~ x+=~ x=a=~ x=:~ --f=~ x=a:~ "~":~ ~/a:~ 1x=~; y=b; show x=$y:~ x=a:~"b" x=$y~`,
  `HOME=/r; x=~:~; show $x; x=b=~; show $x; x=b=c:~/d; show $x; x=--f=~; show $x; y=b; x=a$y:~/; show $x; export z=~:~ w=b=~; show $z $w`,
  `HOME=/r; a=(~:z x=~ a:~ [5]=~:~ [6]=a=~); show "\${a[@]}"; declare -A m=([k]=~ [l]=x:~); show "\${m[k]}" "\${m[l]}"; m[k]=~; show "\${m[k]}"`,
  `HOME=/r; read a <<< ~:~; show $a; read a <<< x=~; show $a; read a <<< a:~; show $a; case x=~ in x=/r) show m;; esac; case ~:q in /r:q) show n;; esac`,
  `HOME=/r; show \${q:-x=~} \${q:-~:z} \${q:-a:~}; y=\${q:-x=~}; show $y; y=\${q:-~:z:~}; show $y; z=/r:k; show \${z#~:} \${z#~}; show {~,a:~}`,
  // Names and values in turn, and what is assigned in arithmetic
  `HOME=/r; y="p q"; set -- u "v w"; p() { for k in "\${!m[@]}"; do show "$k" "\${m[$k]}"; done; }; declare -A m=(k ~ x $y z *.none a {1,2} b); p; m=("$@" 1 $@ 2); p; m=($y); p`,
  `n=2; ((y=n++^n+=2)); show $? $n "\${y-U}"; ((n+=1 & y=4)); show $? $n "\${y-U}"; ((n = 1 ? 3 : (z|=1))); show $? $n; ((n = 1 ? 3 : z|=1)); show $? $n "\${z-U}"; ((a=b=4)); show $a $b; ((!a=1)); show $? $a`,
  `readonly g=1; f() { local g=2; show "$? $g"; }; f; f2() { local -r l=1; g2; }; g2() { local l=2; show "$? $l"; }; f2; h() { local g; show "$? $g"; }; h; f3() { local -r q=1; local q=2; show $? $q; }; f3`,
  `n=1; show "x\${n:+"\\a"}" "\${n:+"\\n\\$\\\`\\"\\\\"}" "\${n:+\\a}" "\${n:+"\\}"}" "\${n:+"*"}" "\${n:+"\\*"}" "\${z:-"\\t"}" "\${z-"\\x"y"\\z"}" "\${z:-a"\\b"c}"; x=\${n:+"\\a"}; show "$x" \${n:+"\\a"} \${n:+\\a}`,
  `alias a=b c="it's"; alias a; show $?; alias zz; show $?; show "$(alias c)" "$(alias a)"; unalias zz; show $?; unalias a; show $?; alias a; show $?; alias q=1 zz; show $?; unalias -a; alias q; show $?; unalias; show $?`,
  `f() { trap 'show "t $?"' RETURN; false; return 5; }; f; show $?; g() { trap 'show "t $?"' RETURN; false; return; }; g; show $?; h() { trap 'show "t $?"' RETURN; (exit 4); }; h; show $?`,
  `f() { trap 'show "t $?"; false' RETURN; true; return 3; }; f; show $?; g() { trap 'show "t $?"' RETURN; x=$(exit 6); return $?; }; g; show $?; h() { trap 'show "t $?"' RETURN; if (exit 7); then :; else return 2; fi; }; h; show $?`,
  // Descriptors, switches and ends
  `declare -A F; exec {F[a]}> out; echo hi >&\${F[a]}; exec {F[a]}>&-; show "\${#F[@]}" "\${!F[@]}" "$(cat out)"; exec {G[2]}> out; show "\${!G[@]}"; rm out`,
  `show a; set -n; show b`,
  `(set -n; show a); show b $?; x=$(set -n; show c); show "[$x]"; f() { set -o noexec; }; trap 'show t' EXIT; f; show c`,
  `set -k; f() { show "$B" "$@"; }; f x B=2 y; show a B=1 c D="x y"; set +k; show a B=1`,
];
