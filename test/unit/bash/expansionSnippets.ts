/**
 * Small scripts about expansions that describe variables, about `~`, and about rarely used shell options. `snippets.ts` says how they are
 * tried.
 */
export const expansionSnippets: readonly string[] = [
  // Descriptions of variables
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
  // Alternating keys and values, and assignments in arithmetic
  `HOME=/r; y="p q"; set -- u "v w"; p() { for k in "\${!m[@]}"; do show "$k" "\${m[$k]}"; done; }; declare -A m=(k ~ x $y z *.none a {1,2} b); p; m=("$@" 1 $@ 2); p; m=($y); p`,
  `n=2; ((y=n++^n+=2)); show $? $n "\${y-U}"; ((n+=1 & y=4)); show $? $n "\${y-U}"; ((n = 1 ? 3 : (z|=1))); show $? $n; ((n = 1 ? 3 : z|=1)); show $? $n "\${z-U}"; ((a=b=4)); show $a $b; ((!a=1)); show $? $a`,
  `readonly g=1; f() { local g=2; show "$? $g"; }; f; f2() { local -r l=1; g2; }; g2() { local l=2; show "$? $l"; }; f2; h() { local g; show "$? $g"; }; h; f3() { local -r q=1; local q=2; show $? $q; }; f3`,
  `n=1; show "x\${n:+"\\a"}" "\${n:+"\\n\\$\\\`\\"\\\\"}" "\${n:+\\a}" "\${n:+"\\}"}" "\${n:+"*"}" "\${n:+"\\*"}" "\${z:-"\\t"}" "\${z-"\\x"y"\\z"}" "\${z:-a"\\b"c}"; x=\${n:+"\\a"}; show "$x" \${n:+"\\a"} \${n:+\\a}`,
  `alias a=b c="it's"; alias a; show $?; alias zz; show $?; show "$(alias c)" "$(alias a)"; unalias zz; show $?; unalias a; show $?; alias a; show $?; alias q=1 zz; show $?; unalias -a; alias q; show $?; unalias; show $?`,
  `f() { trap 'show "t $?"' RETURN; false; return 5; }; f; show $?; g() { trap 'show "t $?"' RETURN; false; return; }; g; show $?; h() { trap 'show "t $?"' RETURN; (exit 4); }; h; show $?`,
  `f() { trap 'show "t $?"; false' RETURN; true; return 3; }; f; show $?; g() { trap 'show "t $?"' RETURN; x=$(exit 6); return $?; }; g; show $?; h() { trap 'show "t $?"' RETURN; if (exit 7); then :; else return 2; fi; }; h; show $?`,
  // Descriptors, shell options and ends
  `declare -A F; exec {F[a]}> out; echo hi >&\${F[a]}; exec {F[a]}>&-; show "\${#F[@]}" "\${!F[@]}" "$(cat out)"; exec {G[2]}> out; show "\${!G[@]}"; rm out`,
  `show a; set -n; show b`,
  `(set -n; show a); show b $?; x=$(set -n; show c); show "[$x]"; f() { set -o noexec; }; trap 'show t' EXIT; f; show c`,
  `set -k; f() { show "$B" "$@"; }; f x B=2 y; show a B=1 c D="x y"; set +k; show a B=1`,
  // Braces closed by another `}`, elements without keys, patterns that expand to nothing
  `a=0; show {$a},b} {a},b} {\${a}},} {a},{b},c} {1..},3} {}x,y} '{a}',b} \\{a},b} {a\\},b} {{a},b} {{a}x,y}`,
  `x={a},b}; L=({a},b} {q},r}); show "$x" "\${L[@]}"; export Y={a},b}; show "$Y" --c={"a":1,"b":{"c":2}},x}`,
  `declare -A M=([a]=1 x [b]=2); show "\${#M[@]}" "\${M[a]}" "\${M[b]}" "\${M[x]-none}"; M=(a 1 b); show "\${#M[@]}" "[\${M[b]}]"; M+=([c]=3 y); show "\${#M[@]}"`,
  `(set -e; declare -A M=([a]=1); M=([b]=2 x); show no); show behind`,
  `a=abc; p=; show \${a^^$p} \${a^$p} "\${a^^}" "\${a^^""}" "\${a^^"$p"}"; A=ABC; show \${A,,$p} \${A,$p}`,
  `shopt -s nullglob; x='+(a)'; y='@(x|y)'; show a $x $y 'b' "$x"`,
  // What the shell reports about its options and traps, and functions under other names
  `unset none; set -fu; O=$(set +o); set +fu; eval "$O"; show * "$(set +o | head -3)" "$(set -o | tail -2)"; (show "$none"; show no); show end`,
  `set -eo pipefail; O=$(shopt -po errexit pipefail); set +e; false; show "$O"; eval "$O"; shopt -qo errexit && show on; shopt -o xtrace || show off; set -m; [[ -o monitor ]] && show m "$(shopt -o monitor)"; false; show no`,
  `(trap 'show "old $x"' EXIT; O=$(trap -p EXIT); trap 'show new' EXIT; eval "$O"; x=1; show "$O")`,
  `trap 'show a' USR1; trap "show 'b'" TERM; trap 'show e' ERR; show "$(trap -p)" "$(trap -p ERR TERM)" "$(trap -p HUP)"; (trap -p USR1 > o; show "$(cat o)"); rm -f o`,
  `f() { show "f $1"; }; eval "old_$(declare -f f)"; f() { show "now $1"; old_f "$@"; }; f a`,
  `set -o posix; X=2 :; Y=3 eval 'show in $X $Y'; f() { show f $Z; }; Z=4 f; show $X $Y "\${Z-none}"; W=5 export Q; show $W; set +o posix; X=7 :; show $X; bash -c 'exit 0'; V=1 true; show "\${V-none}"`,
  `p='+(a)'; case aa in $p) show 1;; *) show 2;; esac; case 'x+(a)' in *$p) show 3;; *) show 4;; esac; q='*(b)'; case 'x(b)' in $q) show 5;; *) show 6;; esac; shopt -s extglob
case aa in $p) show 7;; esac; [[ aa == $p ]] && show 8`,
  `a='a,b,c'; b=$a; c=$a; (declare -i k=a; show no); show end; x=y y=z z=5; show $((x))`,
];
