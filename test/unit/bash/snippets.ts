import { expansionSnippets } from './expansionSnippets.ts';
import { wordSnippets } from './wordSnippets.ts';

/** Small scripts about one thing each; `show` prints its words. None of them reads anything from outside. */
export const snippets: readonly string[] = [
  ...wordSnippets,
  ...expansionSnippets,
  `set -u; a=(1 2); unset 'a[@]'; show "\${a[0]-none}" "\${#a[@]}" "\${a[@]}"; declare -p a >/dev/null && show there`,
  `IFS=$'\\n' read -r -d '' -a a < <(printf '%s\\n' 'x 1' y; printf '\\0'); show $? "\${a[@]}"; printf 'a\\0b c\\0' | while IFS= read -r -d '' x; do show "$x"; done; printf '%s\\0' p 'q r' | tr '\\0' , | { read -r x; show "$x"; }; printf 'p\\nq\\n' | tr '\\n' '\\0' | { mapfile -d '' b; show "\${b[@]}"; }`,
  `(until (( 1 > 2 )) || { exit; }; do :; done) || show "$?"; (while { (exit 3); } || exit; do :; done) || show "$?"; f() { n=0; while (( n++ < 2 )) || return; do :; done; show no; }; f || show "$?"; local -; show "$?"`,
  `A=3; unset 'A[1]'; show $? "$A"; unset 'A[0]'; show $? "${'$'}{A-none}"; B=(1 2); unset 'B[7]'; show $? "${'$'}{B[@]}"`,
  `IFS=$'\\n\\t'; w=(a b "c d"); set -- x y; X=1; show \${w[@]+"\${w[@]}"}; show \${X:+"\${w[@]}"}; show \${U-"\${w[@]}"} \${U:-"$@"}; show \${X:+"$@" z} \${X:+"p$@"}; show \${X:+--a "\${w[@]}"} \${X:+"\${w[@]}" --b}; show \${X:+"\${w[@]/a/q}"} \${X:+"\${!w[@]}"}`,
  `IFS=,; w=(a b "c,d" ""); set -- x y; show \${w[@]+"\${w[@]}"} \${1+"$@"} \${@:+"$@"} "\${w[@]:+q}"`,
  `set -u; (show "\${#FUNCNAME[@]}"; show no) 2>/dev/null; show $?`,
  // Tests
  `[ a = a ] && show 1; [ a = b ] || show 2; [ -z "" ] && show 3; [ -n x ] && show 4; [ x ] && show 5; [ ] || show 6`,
  `[ 1 -lt 2 ] && show lt; [ 2 -ge 2 ] && show ge; [ ! 1 -eq 2 ] && show not; [ 1 -eq 1 -a 2 -eq 2 ] && show and; [ 1 -eq 2 -o 2 -eq 2 ] && show or`,
  `[[ abc == a* ]] && show glob; [[ abc == "a*" ]] || show quoted; [[ a < b ]] && show less; [[ -z $u ]] && show unset`,
  `x="a b"; [[ $x == "a b" ]] && show ok; p='a*'; [[ abc == $p ]] && show pat; [[ abc == "$p" ]] || show lit`,
  `s=llama3-70b-tp8pp4-bs128; [[ $s =~ ^([a-z]+)([0-9]*)-([0-9]+)b-tp([0-9]+)pp([0-9]+)(-bs([0-9]+))?$ ]] && show "\${BASH_REMATCH[@]:1}"`,
  `[[ v12.3 =~ ^v([0-9]+)\\.([0-9]+)$ ]] && show "\${BASH_REMATCH[0]}" "\${BASH_REMATCH[1]}" \${BASH_REMATCH[2]}`,
  `[[ 1 -eq 1 && ( 2 -gt 3 || ! -n "" ) ]] && show yes; [[ "" -eq 0 ]] && show zero`,
  `x=7; [[ x -gt 3 ]] && show named; [[ -v x ]] && show set; [[ -v nope ]] || show notset`,
  `[[ foo != f?o ]] || show m; [[ foo = @(foo|bar) ]] && show ext; [[ fooo == +(o|f) ]] && show plus`,
  // Control
  `if false; then show a; elif true; then show b; else show c; fi`,
  `for i in 1 2 3; do [ $i = 2 ] && continue; show $i; done; for i in 1 2 3; do [ $i = 2 ] && break; show $i; done`,
  `for ((i=0;i<3;i++)); do show $i; done; for ((;;)); do break; done; show done`,
  `i=0; while [ $i -lt 3 ]; do show $i; i=$((i+1)); done; until [ $i -eq 0 ]; do ((i--)); done; show $i`,
  `for i in 1 2; do for j in a b c; do [ $j = b ] && continue 2; show $i$j; done; done`,
  `for i in 1 2; do for j in a b; do [ $i$j = 1b ] && break 2; show $i$j; done; done`,
  `case abc in a) show 1;; a*|b) show 2;; *) show 3;; esac; case x in a) show no;; esac; show after`,
  `case a in a) show 1;& b) show 2;; c) show 3;; esac; case "a b" in "a b") show sp;; esac; case -x in -*) show opt;; esac`,
  `x=ab; case $x in "$x") show q;; esac; case $x in a?) show g;; esac; case '' in '') show e;; esac`,
  `f() { show "$#" "$@"; local x=1; y=2; return 3; }; x=0; f a "b c"; show $? $x $y`,
  `function g { local a=("$@"); show "\${a[@]}"; }; g 1 "2 3"; h() { echo "out $1"; }; show "$(h z)" $(h z)`,
  `f() { show "$FUNCNAME" "\${FUNCNAME[*]:0:1}"; }; f; show "\${FUNCNAME-none}" "\${FUNCNAME:-x}" "[$FUNCNAME]"`,
  `f() { local i=5; g; show $i; }; g() { i=6; }; i=1; f; show $i`,
  `f() { if [ $1 -gt 0 ]; then show $1; f $(($1-1)); fi; }; f 3`,
  `x=1; (x=2; show $x); show $x; { x=3; }; show $x; y=$(x=9; echo $x); show $y $x`,
  `true && show a || show b; false && show a || show b; true || show c; ! false && show d; ! true || show e`,
  `true | false; show $?; false | true; show $?; set -o pipefail; false | true; show $?`,
  `f() { return 1; }; if f; then show y; else show n $?; fi; f || show failed; f && show no; show end`,
  `set -e; false || true; if false; then :; fi; show alive; false; show dead`,
  `set -e; f() { false; show inside; }; f || show handled; x=$(false) || show sub; show end`,
  `set -u; show "\${x:-ok}"; show "\${x-ok2}"`,
  `f() { local -r x={a,b}; show "$x" $?; local y+={a,b}; show "$y"; readonly R={1,2}; show "$R" $?; export E={1..3}; show "$E"; }; f`,
  `o=-r; declare $o c={a,b}; show "$c"; q="a b"; command export A=$q B={1,2}; builtin export C=$q; e=export; $e D=$q; "export" E="$q"; show "$A" "$B" "$C" "$D" "$E"`,
  `f() { command local m=2; builtin declare -g G=3; show "$m"; }; f; show "\${m-U}" "$G"; builtin declare -a AA; AA+=(1 2); show "\${AA[@]}"`,
  `readonly Y=3; f() { local k=1 Y=(3) m=2; show "$k" "\${Y[@]}" "$m" $?; local -a Y=(1 2); show "$Y" $?; }; f; show end
f() { local -ra L=(1); local -a L=(2); show never; }; f; show never`,
  `trap 'show err' ERR; f() { trap '' ERR; false; }; f; false; show end`,
  `( kill $BASHPID; show no ); show $?; x=$(kill -HUP $BASHPID; echo q); show "$x" $?; printf '%s\\n' a b c | while read l; do [ $l = b ] && kill $BASHPID; show $l; done; show end`,
  `trap 'show told' USR1; kill -USR1 $BASHPID; show on; trap - USR1; kill -USR1 $BASHPID; show never`,
  `HOME=/h; y=foo; show ~:$y/z ~:$y ~:/x:$y ~/$y:~ ~:"$y" ~:$y\\ b ~:$(echo q/r) ~:\${y/o/z} ~:a\\ b ~/a\\ b x=~:$y -x=~:$y ~:x; a=(~:$y x=~:$y); show "\${a[@]}"; b=~:$y:~; show "$b"`,
  `X=q; case b in b) X=b; n=2 ;;& a|"$X") show 1 ;;& *) show 2 ;; esac; i=0; case a in a) show 3 ;; $((i++))) show no ;; esac; show $i; case c in $((i++))) show no ;; c) show 4 ;;& $i) show no ;; *) show $i ;; esac`,
  `f() { trap 'show err $?' ERR; return 2; }; eval f; show on; false; show end`,
  `f() { trap 'show err $?' ERR; return 2; }; g() { f; }; g; show on; f; show end; h() { trap 'show own' ERR; false; }; h; show last`,
  `echo 'show $?; return 4' > s.sh; false; . ./s.sh; show $?; (exit 3); source ./s.sh; echo '# none' > s.sh; false; . ./s.sh; show $?; rm s.sh`,
  `set -- a b; set +; show "$@"; set + c d; show "$@"; set -; show "$@"; set - e; show "$@"`,
  `exec {FD}> one.log; eval "exec $FD>&-"; show closed; rm one.log; coproc { read l; }; eval "exec \${COPROC[1]}>&-"; show on`,
  `exec 8<> rw.txt; show *.txt; exec 8>&-; cat <> new.txt; show *.txt; rm rw.txt new.txt; exec >&5; show $?; exec 5<&7 6>&1; show $?; show no >&6; show end`,
  `A=(1 2); A=\${A[1]}x bash -c 'echo "$A"' > o; show "$(cat o)"; f() { show "\${A[@]}"; }; A=q f; A+=w f; show "\${A[@]}"; declare -x E=(1); E=v f; rm o`,
  `f() { local -n r=$1; unset r; }; A=(1 2 3); s=x; f 'A[1]'; show "\${A[@]}"; f s; show "\${s-U}"; f A; show "\${A-U}"`,
  `mapfile -t M < <(printf '%s\\0' a b); show "\${#M[@]}" "\${M[@]}"; mapfile M <<< x; show "$M"; mapfile -td '' M < <(printf '%s\\0' a b); show "\${M[@]}"`,
  `printf -v v '%5.1f' x; show $? "$v"; printf '%f' 'p q' > /dev/null || show no; printf '%.1f' -1 > /dev/null && show yes; printf -v v %.2f ''; show $? "$v"`,
  `mkdir -p d1/s d2; touch d1/a d2/b d1/s/q; show d1//* d?//* d1///a* d?//s//q ./d1//a* d?// d1//nope*; rm -r d1 d2`,
  `zq1=a; declare -a zq2; declare -A zq3; zq4=(); declare -A zq5=(); declare -i zq6; declare -A zq7=([x]=1); unset 'zq7[x]'; f() { local zq8; for v in "\${!zq@}"; do case $v in zq*) show "$v" ;; esac; done; }; f`,
  `s='a b' sy=V s_z= syze=; show "\${s+x"$s"y}" "\${s+"$s"/y}" "\${s+"$s"_z}!" "\${u:-x"\${s}"y"$s"}" "\${s+x"$s""y"}" "\${s+$s"y"}" "\${u-"$s z"y}" "\${s+x"$s"\\y}" "\${u-'q'"$s"yz"e"}" \${s+x"$s"y}; x="\${w:="$s"y-}"; show "$x" "$w" "\${s/a/"$s"y}"`,
  `declare -a B=(9); declare -x B='(p q)'; show "\${B[@]}"; export B='(x y)'; show "\${B[@]}"; B='(z)'; show "\${B[@]}"; f() { local B='(a b)'; show "$B"; local -a L=(1); local L='(c "d e")'; show "\${L[@]}"; }; f`,
  `trap 'show a' NOSUCH; show $?; trap show USR1 BAD; show $?; trap - SIGINT 2 exit ERR; show $?; trap 'x' 99; show $?; trap nosuch; show $?; trap ''; show $?; trap -- '' int; show $?`,
  `set -- p "q r"; e= A=(1 "2 3"); show "\${e:="$@"=}" "\${w:=$1$@:}" "\${v="\${A[@]}"\\$_}" \${x:="$@"z}; show "$e" "$w" "$v" "$x"`,
  `s=a sx= sxy=V; show "\${s+1$s$'x\\ty'}" "\${s+2$s$'-y'}" "\${s+3"$s"$'x'y}"`,
  `n=1
cat <<E > /dev/null; show on $?
\${n:+"q} x
E
x=$(cat <<E
\${n:+it's}
E
echo k); show "$x"; cat <<E | { read -r l; show "$l"; }
\${n:+it's} \${n:+'q'}
E`,
  `s=abc; s=("\${s:1}" "\${s[@]:0:1}" "\${s[@]:1}" "$s" "\${#s[@]}"); show "\${s[@]}"; t="--x 1"; t+=("\${t[@]:1}" z); show "\${t[@]}"; f() { local -n r=$1; r=("\${r[@]:1}" w); }; u=xyz; f u; show "\${u[@]}"`,
  `echo 'show in' > s.sh; trap 'show ret "$1" "\${#FUNCNAME[@]}"' RETURN; . ./s.sh x; f() { trap 'show own "$1" "\${FUNCNAME[0]}"' RETURN; . ./s.sh z; }; f q; trap - RETURN; rm s.sh`,
  `set -e; if command eval 'false; show in'; then show y; fi; eval 'false; show in2' || show or; builtin eval true && show on; builtin eval 'false; show never' || show never2; show end`,
  `trap 'show err $?' ERR; if builtin eval 'false; true'; then show y; fi; if command eval 'false; true'; then show z; fi`,
  // Substitutions
  `show $(echo a b) "$(echo a b)" "$(printf 'x\\n\\n')" \`echo back\` "\`echo "q q"\`"`,
  `show "$(echo "a $(echo "b c")")" $(echo $(echo 1) 2)`,
  `show $(printf '%s,' a b c) "$(printf '%02d-%s' 7 x)" $(printf '%d\\n' 5)`,
  `show "$(seq 3)" $(seq 2 4) $(seq 1 2 5) $(seq -s, 3)`,
  `show $(dirname /a/b/c) $(basename /a/b/c.sh .sh) $(basename /a/b/) $(dirname x)`,
  `show $(echo "a,b,c" | tr , ' ') $(echo hello | sed 's/l/L/g') $(echo "1 2 3" | awk '{print $2}') $(echo a:b | cut -d: -f2)`,
  `show $(printf 'b\\na\\n' | sort) $(printf 'a\\na\\nb\\n' | uniq) $(printf 'x\\ny\\n' | wc -l) $(printf '1\\n2\\n3\\n' | head -n 2) $(printf '1\\n2\\n' | tail -1)`,
  `show "$(cat <<EOF
line $((1+1))
 two
EOF
)"`,
  `x=v; show "$(cat <<'EOF'
no $x \\$y
EOF
)" "$(cat <<-EOF
	tab $x
	  in
	EOF
)"`,
  `x=v; cat <<EOF | while read -r l; do show "$l"; done
a $x \\$x \\\\ "q"
b
EOF`,
  `IFS=, read -r a b c <<< "1,2 3,4,5"; show "$a" "$b" "$c"; read x y <<< "  p   q r  "; show "$x" "$y"`,
  `IFS=':' read -ra p <<< "a:b c:"; show "\${p[@]}" \${#p[@]}; read -r line <<< "  keep  "; show "$line"`,
  `read -n 3 a <<< abcdef; show "$a"; read -rn2 b c <<< "x y z"; show "$b" "$c"; read -n 10 d <<< $'ab\ncd'; show "$d"; read -n 0 e <<< abc; show $? "$e"`,
  `read -N 4 e <<< $'a\nbcd'; show "$e"; read -N 10 f <<< abc; show $? "$f"; read -N 3 g h <<< 'a b c'; show "$g" "$h"`,
  `{ read -n1 a; read b; } <<< abc; show $a $b; while read -rn1 c; do show "[$c]"; done <<< "a b"; IFS=, read -n 5 a b <<< 'p,q,r,s'; show "$a" "$b"`,
  `read -t 0 x < /dev/null; show $?; read -t 0 y <<< abc; show $? "\${y-none}"; read -t 5 z <<< q; show $z`,
  `exec {fd}> out; echo q >&$fd; echo r >&"$fd"; exec {fd}>&-; show "$(cat out)"; exec {in}< out; read a <&$in; read -u $in b; show "$a" "$b"; rm out`,
  `printf -v n '%03d' 5; show $n; mapfile -t m <<< $'a\\nb c'; show "\${m[@]}"; readarray -t r < <(echo 1; echo 2); show "\${r[@]}"`,
  `while IFS='=' read -r k v; do show "$k" "$v"; done <<< $'a=1\\nb=2=3'`,
  `echo "1 2" | while read a b; do show $b $a; done; x=0; echo | while read l; do x=1; done; show $x`,
  `x=$(echo a; echo b); show "$x" $x; show "$(echo -n n)" "$(echo -e 'a\\tb')"`,
  `eval 'x=1; show $x'; c='show "a b" c'; eval "$c"; $c; v=x; eval "y=\\$$v"; show $y`,
  `bash -c 'show_inner=1; echo "$0 $1"' zero one | while read l; do show "$l"; done`,
  `printf -v a '%%s' x; printf -v b '50%%steps %s;' 1 2; printf -v c '%%%s' q; show "$a" "$b" "$c" "$(printf '100%%s\\n' x y)" "$(printf '%%' x)"`,
  // Braces, patterns
  `show {a,b}{1..3} {1..10..3} {c..a} {01..03} x{,y}z {a,{b,c}} {single} {} {a,b "q,r"}`,
  `x=E; show {a..\${x,,}} pre{1..\${x,,}}post {1..3\${x,,}} {"a,b"..c} {\${x,,}..2} {\${x,,}} {"a,b"} {a\\,b..c} {{a,b}..3} {\${x/a,b/c}}`,
  `set +B; show {a,b} {1..3}; set -B; show {a,b}; set +o braceexpand; show x{1,2}; x=y{1,2}; show $x`,
  `x=1; show {$x,b} a{"x y",z} {1..$x} \\{a,b\\} "{a,b}"`,
  `show *.nomatch [0-9]nothing ?none; set -f; show *`,
  // Assignments
  `a=1 b=2; show $a$b; a=x b=$a; show $b; x=~; [ "$x" = "~" ] || show home; show "~" a~ --x=~`,
  `export E=1; readonly R=2; show $E $R; declare -r Q=3; show $Q; typeset t=4; show $t; local_=5; show $local_`,
  `X=old; f() { show "$X"; }; X=new f; show $X; X=tmp :; show $X`,
  `declare -l low=ABC; declare -u up=abc; show $low $up; declare -i n=2*3; show $n; n=n+1; show $n`,
  `declare -u x=ab; declare +u x; x=cd; show $x; declare -l y=AB; declare -u y; y=eF; show $y; declare -c z='hELLO wORLD'; show "$z"; declare -ul w=aB; show $w`,
  `declare -n ref=target; target=5; show $ref; ref=6; show $target`,
  `x=5; unset x; show "\${x:-gone}"; a=(1 2); unset a; show \${#a[@]}`,
  `a=b; a+=c; show $a; x="$a"'d'$a; show $x; y=$a$((1+1))"z w"; show "$y"`,
  `key=--flag; val="v w"; none=; args=($key "$val" \${none} "\${none}"); show "\${args[@]}" \${#args[@]}`,
  `if [ "\${DEBUG:-0}" = 1 ]; then L=debug; else L=info; fi; show --log=$L`,
  `ARGS="--a 1"; ARGS="$ARGS --b 2"; ARGS+=" --c 3"; show $ARGS; CMD="show x $ARGS"; $CMD y`,
  `while getopts "ab:c" o -a -b val -c; do show $o "$OPTARG"; done; show $OPTIND`,
  `set -- -n 4 --name=foo pos; while [ $# -gt 0 ]; do case $1 in -n) N=$2; shift 2;; --name=*) NAME="\${1#*=}"; shift;; *) P+=("$1"); shift;; esac; done; show $N $NAME "\${P[@]}"`,
  `CONFIGS=("4,2,1" "8,1,1"); for c in "\${CONFIGS[@]}"; do IFS=, read -r TP PP CP <<< "$c"; show TP=$TP PP=$PP CP=$CP; done; show "$IFS"`,
  `for m in a b; do for c in 1 2; do name="\${m}_$c"; declare "$name=$m$c"; show "\${!name}"; done; done`,
  `s="a b c"; for w in $s; do show "$w"; done; set -- $s; show $3; arr=($s); show \${arr[2]}`,
  `n=0; for f in a.sh b.py c.sh; do case $f in *.sh) n=$((n+1));; esac; done; show $n`,
  `x=$(for i in 1 2 3; do echo -n "$i,"; done); show "\${x%,}"; y=$(if true; then echo t; fi); show $y`,
  `L=48; arr=(); for ((i=0;i<L;i+=12)); do arr+=($i); done; show "\${arr[*]}" "$(IFS=,; echo "\${arr[*]}")"`,
  `f() { echo "$1" | tr a-z A-Z; }; show "$(f abc)"; g() { printf '%s\\n' "$@" | sort -r | tr '\\n' ' '; }; show $(g 1 3 2)`,
  `str="key: value"; show "\${str%%:*}" "\${str#*: }" "\${str/:/=}"; path=/a/b; show "\${path%/}/c" "\${path##*/}"`,
  `builtin echo hi >/dev/null; type show >/dev/null 2>&1 && show typed; exec 3>&1; show after`,
  `trap 'echo x' EXIT; show t; return_test() { return; }; false; return_test; show $?`,
  `[ -d / ] && show dir; test 5 -gt 3 && show t5; if test "a" != "b"; then show ne; fi`,
  `x="multi
line"; show "$x" $x; y='tab	end'; show $y "$y"; printf -v z 'a\\nb'; show "$z"`,
  `a="1 2"; b='$a'; show "$b" $b; eval "show $b"; c="\\"q\\""; show $c`,
  `x=3; y=$x$x; z=\${x}_$y; show $z \${z/_/-} \${z%%_*}; w=\${z:0:1}\${z: -1}; show $w`,
  `{ show in; } > /dev/null; show out; show 2>&1; show a 2>/dev/null b; show c >/dev/null d`,
  `(exit 3); show $?; (set -e; false; echo no); show $?; x=$(exit 4); show $?`,
  `set -- "a b" c; f() { show $# "$1"; }; f "$@"; f $@; f "$*"; f`,
  `if [[ "x" == "x" && -z "" ]] || false; then show combined; fi; [[ ! ( 1 -eq 2 ) ]] && show group`,
  `let 'a = 5' 'b = a ** 2'; show $a $b; ((a = b > 20 ? 1 : 2, b -= 5)); show $a $b`,
  `a=(3 1 2); sorted=($(printf '%s\\n' "\${a[@]}" | sort -n)); show "\${sorted[@]}"; IFS=$'\\n' s2=($(sort <<<"\${a[*]}")); show "\${s2[@]}"`,
  `a=(a "" b); IFS=,; show \${a[@]}; show \${a[*]}; set -- "" x "" ; show $@; IFS=; show \${a[@]}`,
  `unset UNDECLARED; declare -p UNDECLARED >/dev/null; show $?; a=1; declare -p a UNDECLARED >/dev/null; show $?; declare -A m; declare -p a m >/dev/null && show both`,
  `if ! declare -p UNDECLARED &>/dev/null; then declare -A UNDECLARED; fi; UNDECLARED[x.y]=1; show "\${!UNDECLARED[@]}"; unset a; typeset -p a || show gone`,
  `f() { local own; declare -p own >/dev/null && show declared; }; f; declare -F f; declare -F f g >/dev/null || show one; x=$(declare -F f); show "$x"`,
  `f() { :; }; declare -f f >/dev/null && show is; unset -f f; typeset -f f || show not; export -f nothing || show none`,
  `set -e; { [ a = b ] && show no; } >/dev/null; if true; then [ a = b ] && show no; fi >/dev/null; for i in 1; do [ a = b ] && show no; done >/dev/null; show alive; (false) >/dev/null; show dead`,
  `set -e; while read -r l; do [ "$l" = q ] && show q; done <<< "a"; show alive; f() { [ a = b ] && show no; }; f >/dev/null; show dead`,
  `set -e; { show no; } < nowhere || echo failed; { show no; } < nowhere; show dead`,
  `set -e; x=$(false; echo hi); show "$x"; (false; show no) || show sub; x=$(set -e; false; echo no) || show "x$x"; shopt -s inherit_errexit; x=$(false; echo no); show dead`,
  `t() { "$@"; show $?; }; t [ ! a -eq 1 ]; t test a -lt 2 -o x; t [ x -a b -gt 1 ]; t [ ! \\( a -ge 1 \\) ]; t [ ! x -o '' -le 1 ]; [ ! a -eq 1 ] || show given up`,
  `t() { [[ -o $1 ]]; show $1 $?; }; t errexit; t pipefail; t braceexpand; t nothing; set -euo pipefail; [ -o nounset ] && show on; [[ -o errexit && -o pipefail ]] && show both; set +u; [ -o nounset ] || show off`,
  `[ \\( a = a -o b = c \\) -a d = d ] && show 1; [ \\( a = a -o b = c \\) -a d = e ] || show 2; [ ! \\( a = b -o -z x \\) ] && show 3; test \\( 1 -eq 1 \\) && show 4`,
  `[ a = b -o a = b -a a = a -o c = c ] && show 1; [ a b c d e ] || show $?; [ ! a = b -a c = c ] && show 2; [ \\( a ] || show $?; [ ! ! a ] && show 3; [ -n "" -o "" -o x ] && show 4; [ a -a \\( b ] || show $?`,
  `f() { break; show f; }; for i in 1 2; do f; for j in a b; do for k in 1 2; do continue 9; show no; done; done; show no; done; show done; break; show $?`,
  `for i in 1 2; do (break; show s); x=$(break; echo s); show "$i$x"; while break; do show no; done; done; for i in 1 2; do for j in 1 2; do break 0; done; show no; done; show $?`,
  `f() { for j in 1 2; do break 5; done; show f; }; for i in 1 2; do f; show $i; done; for i in 1 2; do eval 'continue'; show no; done; show end`,
  `set -- -b; getopts ":ab:" o; show "$o" "$OPTARG"; OPTIND=1; getopts "ab:" o; show "$o" "\${OPTARG-unset}"`,
  `set -- -z -bx -; OPTARG=stale; getopts "ab:" o; show "$o" "\${OPTARG-unset}"; getopts "ab:" o; show "$o" "$OPTARG"; getopts "ab:" o; show $? "$o" "\${OPTARG-unset}" $OPTIND`,
  `set -- -z -a -ab c -- d; while getopts ":ab:" o; do show "$o" "$OPTARG" $OPTIND; done; shift $((OPTIND-1)); show "$@"`,
  `set -u; a=(1 2); show "\${a[1]}" "\${a[9]-none}"; (show "\${a[5]}"; show no); show $?; declare -A M=([a]=1); x=$(echo "\${M[b]}"; show no); show "$?$x"; show "\${a[5]}"; show no`,
  `set -u; f() { show "\${1-u}"; if [ "$1" = a ]; then show no; fi; show no; }; if f; then show no; fi; show no`,
  `set -u; f() { local z; show "\${z-u}"; [[ $z == a ]] || show no; show no; }; (f; show no); show $?; set -- a; show "\${2:-d}"; show "$2"; show no`,
  `set -u; unset z; (show \${#z}; show no); (show $((z+1)); show no); ((z++); show no); ([[ z -eq 0 ]]; show no); (x=$z; show no); (for i in $z; do show no; done; show no); (case $z in *) show no;; esac; show no); (let z+1; show no); (show "\${z%a}"; show no); (show "$z" "$(show no)"; show no); (for ((i=z;i<1;i++)); do show no; done; show no); show "\${z:-d}" "\${z+x}"`,
  `set -u; unset z; (export x=$z; show no); ({ show no; } <<< "$z"; show no); (x=abc; show \${x:z:1}; show no); (X=$z show no; show no); (z=$((z=1)); show $z); a=(); show "\${a[@]}" \${#a[@]} "\${a[@]:0:1}" $((a[3])); show end`,
  `set -u; unset z; cat <<< "$z" || show goes on $?; set +u; show "$z" end`,
  `f() { echo out; echo err >&2; }; x=$(f 2>&1); show "$x"; x=$(f 2>/dev/null); show "$x"; x=$(f 2>&1 >/dev/null); show "$x"; x=$(f >/dev/null 2>&1); show "x$x"; x=$(f); show "$x"`,
  `f() { echo out; echo err >&2; }; f > o.txt 2>&1; show "$(cat o.txt)"; f 2> e.txt >o.txt; show "$(cat e.txt)" "$(cat o.txt)"; f &> b.txt; show "$(cat b.txt)"; { f; f; } >& c.txt; show "$(cat c.txt)"; f 2>> e.txt; show "$(<e.txt)"`,
  `f() { echo out; echo err >&2; }; x=$(f 3>&1 1>&2 2>&3); show "$x"; f |& while read -r l; do show "$l"; done; f 2>&1 | while read -r l; do show "p$l"; done; x=$(echo a > /dev/stderr; echo b) ; show "$x"; x=$( { echo a > /dev/stderr; echo b; } 2>&1); show "$x"`,
  `x=$(exec 3>&1; echo a >&3; echo b 1>&2; echo c); show "$x"; x=$( (echo a >&2) 2>&1; echo b); show "$x"; x=$({ echo a >&2; } 2>&1 | tr a z); show "$x"; log() { echo "$@" >&2; }; g() { log starting; echo value; }; v=$(g); show "$v"; w=$(g 2>&1); show "$w"`,
  `x=true; if ["$x" = "true"]; then show no; else show yes $?; fi; if [["$x" == "true"]]; then show no; else show yes; fi; "" || show empty $?; ["$x"] && show no; show end`,
  `bash -ec 'false; echo no' || show e $?; bash -e -o pipefail -c 'false | true; echo no' || show p $?; x=$(bash -eu -c 'echo a; unset q; echo $q; echo no'); show "$x"; bash +e -c 'false; exit 0' && show f`,
  `echo 'false; echo no' > e.sh; bash -e e.sh || show e; bash -ex e.sh 2>/dev/null | while read -r l; do show "$l"; done; bash e.sh | while read -r l; do show "$l"; done; bash -s -e <<< 'false; echo no' || show s`,
  `set -- -n 3 --debug x --gp=4 y -- -z; OPTS=$(getopt -o n:g:d --long nodes:,gpus:,debug -n name -- "$@"); show "$OPTS" $?; eval set -- "$OPTS"; while true; do case "$1" in -n) N=$2; shift 2;; --gpus) G=$2; shift 2;; --debug) D=1; shift;; --) shift; break;; esac; done; show "$N" "$G" "$D" "$@"`,
  `show "$(getopt ab:c: -a -bx "q r" -c y)" "$(getopt -o ab: -- -ab "it's" '')" "$(getopt -o a:: --long opt:: -- -a -ax --opt --opt=v)"; x=$(getopt -o ab: -l alpha,beta -- -z --be p 2>/dev/null) || show "$x"; show "$(getopt -u -o a -- p q)" "$(getopt --options=x: --longoptions=yy: -- --yy z -x)"`,
  `x=abc; P=d; cat <<E | while IFS= read -r l; do show "$l"; done
{"a": \${A:-'x'}, "b": "\${B:-"y"}", "c": '\${C:-z}', "d": \${D:-$'q\\n'}, "e": \${E:+'n'}\${P:+'$x'}, \${P-'z'} \${Q='w'} \${Q}}
\${x/'b'/'q'} \${x#'a'}
E`,
  `show "\${Z:-a\\}b}" \${Z:-a\\}b} "\${Z:-"a\\}b"}" "\${Z:-\\$x\\"}" "\${Z:-'q'}" "\${Z:-{a\\}}"`,
  `f() { :; }; show "$(type -t f)" "$(type -t cd)" "$(type -t if)" "$(type -t [[)" "$(type -t [)"; type -t f >/dev/null && show yes; if [ "$(type -t f)" = function ]; then show fn; fi; if type -t f | grep -q function; then show g; fi; type -p f && show p; type cd f >/dev/null && show c; show "$(command -v cd)" "$(command -v if)" "$(command -v f)"; hash cd && show h`,
  `A=(p q r); IFS=$'\\n\\t'; e="\${A[@]:0:2}"; show $e "$e"; e="\${A[*]:0:2}"; show "$e"; e=\${A[@]:0:2}; show "$e"; e="\${A[@]}"; show "$e"; e="x\${A[@]#p}y"; show "$e"; set -- a b; e="\${@:1:2}"; show "$e"; e="$@"; show "$e"; case "\${A[@]:0:2}" in "p q") show sp;; esac`,
  `A=(p q r); IFS=,; e="\${!A[@]}"; show "$e"; e=\${!A[@]}; show "$e"; f() { local f="\${A[@]:0:2}" g="\${A[@]^^}"; show "$f" "$g" "\${A[@]:0:2}"; }; f; read -r l <<< "\${A[@]:0:2}"; show "$l"; [[ "\${A[@]:0:2}" == "p q" ]] && show t; e=\${A[@]/q/z}; show "$e"; e=\${A[@]#p}; show "$e"; e=\${A[@]@Q}; show "$e"; y[1]="\${A[@]:0:2}"; show "\${y[1]}"; u=; e="\${u:-\${A[@]:0:2}}"; show "$e" "\${A[@]:1}z"; IFS=; e="\${A[@]:0:2}"; show "$e"`,
  `readonly R=1; f() { local R=2 S=3; show $? "$R" "$S"; }; f; g() { local R; show $? "$R"; }; g; (set -e; g; show no; local R=5; show no) || show e`,
  `show "$(bash <(echo 'echo x $1') a)"; source <(echo 'X=5; show s'); show $X; for i in 1 2; do . <(echo "Y=$i"); show $Y; done`,
  `x=$(echo a b | xargs echo c); show "$x"; show $(printf '%s\\n' 1 2 | xargs -n 1 echo n)`,
  // Patterns
  `HOME=/h; x=~/a/b; y='~/a/~'; show "\${x#~/}" \${x#~/} "\${y#~/}" "\${y#\\~/}" "\${x/~/H}" "\${x//~/H}" "\${y/#~/H}" "\${y/%~/H}" "\${y//~/H}" "\${y/~/H}"; case $x in ~/*) show in;; esac; [[ $x == ~/a/* && "~/a" != ~/a ]] && show eq; [[ $x =~ ~/(.) ]] && show "\${BASH_REMATCH[1]}"; [[ ~x =~ ^~x ]] && show re`,
  `v='#a'; x='a#aa'; show "\${x/"$v"/_}" "\${x//$v/_}"`,
  `shopt -s nocasematch; [[ Qwen2-7B =~ ^(QWEN)[0-9]-(.*)b$ ]] && show "\${BASH_REMATCH[@]}"; shopt -u nocasematch; [[ Qwen =~ ^qwen$ ]] || show no`,
  // What Bash abandons
  `a=(); show "\${a[-1]}" x; show "\${a[-1]:-d}"; b=(1); show "\${b[-1]}" "\${b[-2]}" "\${#a[@]}"; (set -e; a=(); show "\${a[-1]}"; show no); show $?; (a[-1]=x || show no; show no); show end`,
  `shopt -s failglob; (show *.zz; show no); show $?; x=$(show *.zz; echo no); show "$x"; (a=(*.zz); show no); (for f in *.zz; do show no; done; show no); (set -e; shopt -s failglob; show *.zz; show no); show $?; shopt -u failglob; show *.zz`,
  // Heredocs join with a space
  `IFS=,; set -- x y; a=(p q); cat <<E | while IFS= read -r l; do show "$l"; done
$* \${*} \${*:1} \${a[*]} \${a[*]:0} \${a[*]%b} \${*:-d} \${u:-$*} \${u:-\${a[*]}} \${!a[*]} $(echo "$*") \${a[*]@Q}
E
read -r l <<< "$*"; show "$l"`,
  `set -u; declare -A m; declare -a n; (show \${#m[@]}; show no); (show \${#n[*]}; show no); f() { local -a l; show \${#l[@]}; show no; }; (f); show "\${m[@]}" "\${!m[@]}" "\${n[@]:-d}" "\${n[@]+s}"; declare -A o=(); declare -a p=(); show \${#o[@]} \${#p[@]}; q=(1); unset 'q[0]'; show \${#q[@]}; declare -a q; show \${#q[@]}; mapfile -t r < /dev/null; show \${#r[@]}; show end`,
  // Traps
  `trap 'show err $?' ERR; false; show 1; false || true; ! true; if false; then :; fi; f() { false; true; }; f; (false; true); (false); x=$(false); [[ a == b ]]; ((0)); { false; true; }; true | false; false | true; true && false; false && true; for i in 1; do false; done; show 2; trap - ERR; false; show end`,
  `set -e; trap 'show err; exit 4' ERR; trap 'show bye $?' EXIT; f() { false; }; if f; then show no; fi; x=$(false) || show or; (exit 3); show no`,
  `set -E; trap 'show err' ERR; f() { false; show f; }; f; (false; true); trap '' ERR; false; show end`,
  // Jobs
  `true & wait; show $?`,
  // Empty lists
  `a=(); e=; x=(x); n=(''); set --; show "\${a[@]-}" 1 "\${@:-}" 2 "\${a[@]+x}" 3 "\${a[@]:+x}" 4 "\${a[@]-$@}" 5 "\${x[@]+$@}" 6 "\${x[@]:+}" 7 "\${n[@]:-}" 8 "\${n[@]:+x}" 9 "\${a[@]:-"\${a[@]}"}"`,
  `a=(); e=; x=(x); n=(''); set --; show "$@$e" 1 "$e$@" 2 "$@""$e" 3 "$@"$e 4 "\${n[@]}$@" 5 "$@$(true)" 6 "\${a[@]-}$e" 7 "$e\${a[@]+x}" 8 "$@\${e:+x}" 9 "$@$((1))" 10 "\${x[@]:+x}$@" 11 ""$@ 12 \${a[@]-""} 13 "\${a[@]+"\${a[@]}"}"`,
  `printf '# c\\nL=1\\nN="a b"\\n' > env; export $(grep -v '^#' env | xargs); show "$L" "$N"; show "$(xargs <<< '  a   b ')" $(seq 3 | xargs -n 2)`,
  `printf 'a\\nb\\nc\\nd\\n' > f; mapfile -t -n 2 A < f; mapfile -ts1 B < f; mapfile -s 1 -n 1 C < f; mapfile -t -n 0 D < f; mapfile -t -s 9 E < f; { mapfile -t -n 1 F; mapfile -t G; } < f; show "\${A[@]}" "\${B[@]}" "\${C[@]}" "\${#D[@]}" "\${E[@]}" : "\${F[@]}" : "\${G[@]}"`,
  `show $(seq -f %03g 3) "$(seq -f 'gpu%g' -s, 0 2)" $(seq -f%.2f 1 0.5 2) $(seq --format=node%02g.x 2)`,
  `ref=; (show "\${!ref}"; show no); show $?; ref=a-b; (show "\${!ref:-d}"; show no); ref=1x; (set -e; show \${!ref}; show no); ref=1; set -- a; show "\${!ref}"`,
  `w=1; set --; show "p \${w:+$'a\\tb'}" "\${1:-$'x\\ty'}" \${1:-$'x\\ty'} "\${w/1/$'q\\t'}"`,
  `IFS=' -'; a=('a b' '' --lr=1-e 'x-' -y); show \${a[@]}; show \${a[*]:1} \${a[@]^^}; IFS=' ,'; set -- 1,2 ',3' '' 4,; show $* $@; for i in $@; do show "$i"; done`,
  // What Bash keeps of the last pipeline
  `false | true; show "\${PIPESTATUS[@]}"; for i in 1; do false | true; done; show "\${PIPESTATUS[@]}"; false | true; for i in; do :; done; show "\${PIPESTATUS[@]}"; ! false | true; show "\${PIPESTATUS[@]}"; false | true; if false; then :; fi; show "\${PIPESTATUS[@]}"; f() { true | false | true; }; f; show "\${PIPESTATUS[@]}"; eval 'false | true'; show "\${PIPESTATUS[@]}"; if false | true; then show "\${PIPESTATUS[@]}"; fi; false | true; case a in b) ;; esac; show "\${PIPESTATUS[@]}"; false | true || true; show "\${PIPESTATUS[@]}"; false | true; g() { :; }; show "\${PIPESTATUS[@]}"; while read l; do :; done < /dev/null; show "\${PIPESTATUS[@]}"; ((0)); show "\${PIPESTATUS[@]}"; false | true & show "\${PIPESTATUS[@]}"`,
  // A program's redirections are expanded in a child process
  `n=1; cat > c.txt <<E
\${X:=d} $((n=5))
E
show "$(cat c.txt)" "\${X-none}" $n; cat <<< "\${Y:=e}" > d$((n++)).txt; show "\${Y-none}" $n "$(cat d1.txt)"; : <<< "\${Z:=f}" > e$((n++)).txt; show "$Z" $n; f() { cat; }; f <<< "\${W:=g}" > /dev/null; show "$W"`,
  // Querying shell options
  `show $(shopt -q extglob && echo on || echo off) $(shopt -q nullglob; echo $?); old=$(shopt -p nullglob); shopt -s nullglob extglob; show "$old" *.none x; shopt -q nullglob extglob && show both; eval "$old"; show *.none x; shopt nullglob > /dev/null || show off; show "$(shopt nullglob extglob)"; shopt -so pipefail; false | true || show piped`,
  // Values that are not numbers
  `x="two words"; [[ $x -gt 1 ]] || show a; (( x > 1 )) || show b; let x+=1 || show c; LR=1e-5; T=08:30; a=(1 2 3); f() { y=$((x+1)); show no; }; (show $((LR*2)); show no); (f; show no); (show "\${a[x]}"; show no); (a[x]=3; show no); (show "\${a[@]:x}"; show no); (declare -i i=$x; show no); (show $((T)); show no); x=$(show $((LR)); echo no); show "$x"`,
  `show $((1 ? 2,3 : 4)) $((0 ? 2,3 : 4)); (exit abc); show $?; g() { return x1; }; g; show $?; (exit " 3 "); show $?; readonly R=1; read R <<< 2; [[ a == a ]] && show end`,
  // Backslashes that \`read\` takes away
  `read a b <<< 'x\\ y z'; show "$a" "$b"; IFS=, read a b <<< 'x\\,y,z\\\\w'; show "$a" "$b"; read a b <<< $'x\\\\\\ny z'; show "$a" "$b"; read -a A <<< 'p\\ q r'; show "\${A[@]}"; read -d : a <<< 'x\\:y:z'; show "$a"; read <<< ' a\\ b\\tc  '; show "$REPLY"; while read l; do show "$l"; done <<'E'
train.py \\
  --lr 1 \\\\
 end\\
E
read a b < <(printf 'tail\\\\'); show "$a" "$b"`,
  `x='é1Ü'; show "\${x//[[:alpha:]]/_}" "\${x//[[:upper:]]/_}" "\${x//[a-z]/_}" "\${x//[[:punct:]]/_}"; [[ é == [[:lower:]] ]] && show lower`,
  // Variable names that brace expansion extends
  `TP=2; TP3=three; E=e; unset TP1 TP2 TP_a TP_z E1 E2 E01 E02 Ea Eb TPx Ex D1 D2; show {$TP,x}{3..1} x$TP{,_a,-b}; show {$TP,y}_z $E{01..02} "$E"{1,2} \${E}{1,2} $E{a,b}$E; show {$E,$TP}x$E {a$E,$E}{/,b} $TP{.,3}; D=dir; show $D/{a,b} {$D,x}/y $D{1,2}-$D`,
  `declare -n nr=A; A=(p q); show "\${!nr}" "\${nr[@]}" \${!nr%p}z; f() { local -n r=$1; show "\${!r}" "$r"; r=5; }; X=3; f X; show $X`,
  `show $((5--1)) $((5++1)) $((2--3)) $((1?2:0?4:5)) $((0?1:0?4:5)); x=3; show $((x++)) $((x--)) $((x - -1)) $(($x--1)) $x; (show $((x--1)); show no); (show $((1 ? x : x=3)); show no); show end`,
  `n=3; show $((n |= 1 ? n = 8 : 0)) $n; n=3; show $((n <<= n *= 2)) $n; n=5; ((n -= n = !n)); show $n $((n += n++)) $n`,
  `echo a > a; echo a > b; echo c > c; cmp -s a b && show same; cmp -s a c || show differ; if diff -q a c > /dev/null; then show no; else show differ; fi; show "$(diff a b)"`,
  // Aliases
  `cat > al.sh <<'E'
alias show='show no'
show off
shopt -s expand_aliases
unalias show
alias sh2='show two' sh3="show $((1+2))"; sh2 same line
sh2 "a b"; A=1 sh3 x
f() { sh2 "$1"; late f; }; alias late='show late'
f y; late z
alias show='show itself'
show x; \\show plain
show $(sh2 q >/dev/null; echo s)
alias both='show one; show two'
both three
if true; then sh3 in; fi; unalias show sh3
show end; sh3 gone
shopt -u expand_aliases
sh2 gone
E
. ./al.sh`,
  `n=1; declare -A M=([k]=v); [[ abc < abd && 10 < 9 && 2.10 < 2.90 && 1.10 < 1.9 && run-001 < z && a < a-b && B < D1 ]] && show less; show "\${M[z]@Q}" "\${M[k]@Q}"`,
  // Ends before the start
  `a=(1 2 3); e=(); x=abc; q=; show "\${e[@]:0:-1}" 1 "\${a[@]:5:-1}" 2 "\${x:5:-1}" 3 "\${x:1:-2}" "\${x:0:-1}" "\${a[@]:1:-0}" 4; (show "\${a[@]:0:-1}"; show no); (set -- p q; show "\${@:1:-1}"; show no); (show "\${x:2:-3}"; show no); (show "\${q:0:-1}"; show no); y=$(echo "\${a[@]:1:-1}"; echo no); show "y$y"`,
  // Filters
  `show "$(cut --complement -d, -f2 <<< a,b,c)" "$(cut -c1-2 --complement <<< abcd)" "$(cut -d, -f1,3 --output-delimiter=: <<< a,b,c)" "$(cut -d, -f2- --complement --output-delimiter ' ' <<< a,b,c)"; show $(seq -w -1 1 2) $(seq -w -10 5 10) $(seq -w 8 11) $(seq -w 100 -50 -100)`,
  `a=(1 2 3 4); mapfile -t -O 2 a <<< $'x\\ny\\nz'; show "\${a[@]}"; mapfile -t -O 1 b <<< $'x\\ny'; show "\${!b[@]}" "\${b[@]}"; mapfile -O 0 -t a <<< p; show "\${a[@]}"; s=old; mapfile -t -O 1 s <<< new; show "\${s[@]}"`,
  // Readonly variables
  `declare -r X=1 X=2 Y=3; show $X $Y $?; export X=4 Z=5; show $X $Z $?; readonly X; show $?; readonly X=6; show $X $?; f() { local X=7; show $X $?; declare X=8; show $X $?; }; f`,
  `readonly X=1; ((X = 5)); show $X $?; ((X++)) || show refused; let X=3; show $?; printf -v X 5; show $X $?; read -r A X B <<< '1 2 3'; show $? $A $X; read X <<< 5; show $X $?; (show $((X = 6)); show no); for X in a b; do show no; done; show $?`,
  `readonly -a A=(1 2); read -ra A <<< 'x y'; show $? "\${A[@]}"; mapfile -t A <<< z; show $? "\${A[@]}"; (declare -a A=(3); show no); (set -e; readonly X=1; declare X=2; show no); show end`,
  `X=old; local -a A=(p "q r"); show $? "\${A[@]}"; local X=5 B=(s); show $? "$X" "\${B[@]}"; f() { local A=(t); show "\${A[@]}"; }; f; show "\${A[@]}"`,
  // Braces
  `show \${x:-{a}{1,2}} \${x:-{a}}{1,2} \${x:-a{1,2}} "\${x:-{a}"{1,2}; A=([0]={1..3} [5]=b); show "\${A[@]}" "\${!A[@]}"; declare -A M=([k]={1,2}); show "\${M[k]}"; M+=([l]={1..3}); show "\${M[l]}"`,
  // Indirect expansion of unset names
  `unset P; (show "\${!P}"; show no); (show \${!P:-d}; show no); show end`,
  // Files that the script creates
  `X=q; echo X=1 >> new.sh; . ./new.sh; Y=$X; echo 'X+=2' >> new.sh; . ./new.sh; Y+=,$X; rm new.sh; echo X=3 >> new.sh; . ./new.sh; show $X $Y`,
  `X=a; source /dev/stdin <<< "X=stdin"; show $X; . /dev/stdin one <<E
X=$X-b Y="\\$1"
E
show $X $Y`,
  // Home directories after colons
  `HOME=/h; Y=\${G:-a:~/b}; show "$Y"; export Y=\${G:-~/a:~/b}; show "$Y" \${G:-a:~/b} \${G:-~/c}; Y="\${G:-~/a:~}"; show "$Y"; Y=\${HOME:+~:~}\${G:-:~}; show "$Y"; : \${Z:=a:~/b}; show "$Z"`,
  // Words that are not programs
  `for E in 1 0 True FALSE true false ''; do if $E; then show "yes $E"; else show "no $E $?"; fi; done 2> /dev/null; (set -e; E=1; $E && show no; show after; $E; show no); show end`,
  // Arguments
  `set -- a b c; shift $#; show $# "$1"; n=2; set -- a b c; shift $n; show "$@"; set -- a b c; shift $((n - 2)); show "$@"`,
  // Options that printf does not have
  `x=$(printf '--tp %s ' 8); show $? "$x"; x=$(printf -- '--tp %s ' 8); show $? "$x"; printf -vy '%s-' a; show "$y" "$(printf - x)" "$(printf '-%s ' a b || echo failed)"; z=old; printf -v z '--%s' a || show refused "$z"`,
  // Whether files exist
  `mkdir d; echo x > d/f; if ls none* > /dev/null 2>&1; then A=no; else A=1; fi; ls d/f > /dev/null && A+=2; ls d/f none > /dev/null 2>&1 || A+=3; ! stat none 2> /dev/null && A+=4; if compgen -G 'none/*' > /dev/null; then A+=no; fi; X=$(ls none 2> /dev/null || echo d); show $A "$X"`,
  `A=; mkdir -p o/c; touch o/c/a; rm -rf o; [ -d o ] || A+=1; [ -f o/c/a ] || A+=2; mkdir o; [ -d o ] && A+=3; rm o 2> /dev/null; [ -d o ] && A+=4; touch o; [ -d o ] && A+=5; show $A`,
  `A=; mkdir d; echo X=1 > d/f; mv d e; [ -d d ] || A+=1; [ -d e ] && A+=2; . e/f; A+=$X; cp -r e g; rm -r e; . g/f; A+=$X; [ -e g/none ] || A+=3; ln -s g l; [ -d l ] && A+=4; show $A`,
  `A=; mkdir d; touch a b; cp a b d/; [ -f d/a ] && A+=1; [ -f a ] && A+=2; mv a b d; [ -f a ] || A+=3; rm d/a; [ -e d/a ] || A+=4; cp d x 2> /dev/null; [ -e x ] || A+=5; show $A`,
  `mkdir d e; cd d e 2> /dev/null || show stays; cd d; cd ''; show "\${PWD##*/}"`,
  `mkdir -p d/e; cd d; D=$(cd none/.. && pwd); show $? "\${D##*/}"; cd e/../../d/e/..; show $? "\${PWD##*/}"`,
  // Bad substitutions
  `(show "\${args.lr}"; show no); A=(1 2); (show \${A[]}; show no); (show "\${A[@] x}"; show no); (show "\${A b}" || show no); x=$(echo \${y.z}; echo no); show $? "$x"; (set -e; show \${1x}
show no); show end`,
  // Names that receive values
  `read a 'b[1]' c <<< 'x y z'; show "$a" "\${b[1]}" "$c" $?; declare -A M; read 'M[k v]' <<< 'p q'; show "\${M[k v]}"; c=old; read a-b c <<< 'x y'; show $? "$c"; read a x.y c <<< '1 2 3'; show $? $a $c; { read 1x; read a; } <<< $'p\\nq'; show $a; printf -v a-b x; show $?; mapfile -t a-b <<< x; show $?`,
  `declare -a A='(1 "2 3")'; show "\${A[@]}"; x="(p q)"; declare -a B=$x C="$x"; show \${#B[@]} \${#C[@]}; declare -A M='([k]=v)'; show "\${M[k]}"; declare D="(1 2)"; show "$D"; f() { local -a E="(a b)"; show "\${E[1]}"; }; f; declare -a "F=$x" G=x; show \${#F[@]} "\${G[@]}"`,
  `declare -ai y; readarray y < <(printf '%s\\n' "" 3+4); show "\${y[@]}"; declare -ai w; read -ra w <<< "1+1 2*3"; show "\${w[@]}"; declare -au v; mapfile -t v <<< ab; mapfile -t -O 1 v <<< cd; show "\${v[@]}"`,
  `set -u; x=(1 22); declare -A h=([a]=1); show \${#x[5]} \${#x[1]} \${#h[zz]}; s=v; (show \${#s[1]}; show no); show end`,
  `{ echo in > f; } > f; show "$(cat f)"; { echo out; echo in > g; } > g; echo a > h; { echo b >> h; } >> h; show "$(cat h)"`,
  `declare -ax b=" lead"; export c=1; declare -A h=([k]=v); export h; bash -c 'echo "[\${b-none}] [$c] [\${h-none}]"' > f; show "$(cat f)"`,
  `k() { local -; set -fu; shopt -s nullglob; X=*; show $X; }; k; show none*; [[ -o noglob ]] || show globs; [[ -o nounset ]] || show set; (set -e; q() { local -; set +e; false; }; q; false; show no); show end`,
  `b=; declare -a b="a,b"; export b; bash -c 'echo "[\${b-none}]"' > f; show "$(cat f)" "\${b[0]}" \${#b[@]}; c=x; declare -a c; c+=(y); show "\${c[@]}"; d=z; declare -A d; d[k]=v; show "\${d[0]}" "\${d[k]}" \${#d[@]}; f() { local e=p; local -a e; e+=(q); show "\${e[*]}"; }; f`,
  // Arguments of a sourced file
  `echo 'set -- x y; shift' > s.sh; set -- a b c; . ./s.sh z; show "$@"; f() { . ./s.sh z; show "$@"; }; f q r; show "$@"; echo 'shift' > t.sh; . ./t.sh 1 2; show "$@"; . ./t.sh; show $#`,
  // Descriptors that are read from, and what a program leaves of its input
  `printf '%s\\n' 'a 1' 'b 2' c > f; while read -r x n <&3; do show $x $n; done 3< f; while read -r -u 3 x; do while read -u4 y; do show "$x$y"; done 4<<< $'p\\nq'; done 3< <(head -n 2 f); exec 5< f; read -u 5 x; read y <&5; show "$x" "$y"; mapfile -t -u 5 z; show "\${z[@]}"; read -u 5 x; show $?; exec 5<&-`,
  `exec 4<<E
one
two three
E
f() { read -ru 4 "$1"; }; f A; read -a B <&4; show $A "\${B[1]}"; { read x <&3; show $x; } 3<<< hi; for i in 1 2; do read -r n <&6; show $i $n; done 6< <(seq 2)`,
  `printf '%s\\n' a b c d > f; { read x; cat > /dev/null; read y; show $? "$x" "$y"; } < f; while read -r x; do n=$(wc -l); show $x $n; done < f; while read -r x; do grep -c a f > /dev/null; awk 'BEGIN{print 1}' > g; sed -n 1p f > g; show $x "$(echo $x | tr a-d A-D)"; done < f; seq 3 | { read x; show $x $(cat); }`,
  `(set -u; declare -i n; f() { local -i n; n=n+1; show $n; declare -i m=m+2; show $m; local k; show $((k+1)); show no; }; f)`,
  `declare -i n=1; declare "n+=2"; show $n; export "n+=2*3"; show $n; x=(1 2); declare "x+=4"; show "\${x[@]}"; declare -i x; declare "x+=4"; show "\${x[@]}"`,
  `f() { local n; n[-1]=k; show $n; local m; (m[-2]=k; show no); show m; }; f`,
  `declare -a x=(1); y="(4 5)"; declare -a x+="$y"; show "\${x[@]}"; declare -a "x+=(6)"; show "\${x[@]}"; declare -A z=([a]=1); declare -A "z+=([b]=2)"; show "\${z[b]}"`,
  `declare -n r=n; n=1; declare "r=2"; show $n; export r=3; show $n; declare "r+=4"; show $n; f() { local r=5; show $r $n; }; f; declare -i r; n=1+1; show $n; readonly r; (n=9; show no); show $n`,
  // Composed names
  `S=70b; declare -A M_70b=([tp]=8 [pp]=16); declare -n C="M_$S"; A_70b=(--bf16 x); f() { local -n a="A_$1"; show "\${a[@]}" "\${#C[@]}" "\${C[tp]}"; a+=(z); }; f $S; show "\${A_70b[@]}"; A_L=(); B_L=(); for n in A B; do declare -n L="\${n}_L"; L+=($n); unset -n L; done; show "\${A_L[@]}" "\${B_L[@]}"`,
  `A=(a b); declare -n e='A[1]'; e=c; show "\${A[@]}"; e+=d; read -r e2 e <<< "x y z"; show "\${A[@]}"; printf -v e %s p; show "\${A[@]}"; declare -A T=([k]=v); unset -n e; declare -n e='T[k]'; e=w; show "\${T[k]}"`,
  `load() { local -n out=$1; mapfile -t out < <(printf '%s\\n' a b); }; load O; g() { local -n out=$1; read -ra out <<< "$2"; }; P=(old); g P "x y"; show "\${O[@]}" "\${P[@]}" \${#P[@]}`,
  `E=(); o="E[@]"; show a "\${!o}" b; B=("\${!o}"); show \${#B[@]}; for i in "\${!o}"; do show no; done; f() { local n="$1[@]"; local a=("\${!n}"); show \${#a[@]} "\${a[@]}"; }; F=(1 "2 3"); f E; f F; set --; w=@; show "\${!w}" "x\${!w}"`,
  `set -- a b; set -; show $# "$@"; set - c; show $# "$@"; set -x -; show $# "$@"`,
  // What a condition exempts from set -e, and what its substitutions see of that
  `if x=$(set -e; false; show spared); then :; fi; ! x=$(set -e; false; show no); ! { set -e; false; show no; }; show end`,
  `set -e; shopt -s inherit_errexit; ! x=$(false; show 1); for i in $(false; show no; echo 1); do show no; done || true; ! case $(false; show no; echo 1) in 1) show no;; esac; ! (( $(false; show no; echo 1) )); ! cat <<< "$(false; show no)"; ! [[ $(false; show 2; echo 1) == 1 ]]; ! declare -a A=($(false; show 3)); f() { local y=$(false; show 4 > /dev/null; echo q); show $y; }; ! f`,
  // The exit status that a command's words leave
  `case $(false) in '') show $?;; esac; case $(exit 3) in a) ;; esac; show $?; case a in $(exit 4)) ;; *) show $?;; esac; case $(false) in '') ;; esac; show $?; case $(false) in '') ;& b) show $?;; esac; false; case x in x) show $?;; esac; for i in $(exit 5) 1; do show $?; done; for i in $(false); do :; done; show $?; false; for i in 1; do show $?; done`,
  // Carriage returns are not blanks
  `x=$'5\\r'; (show $((x + 1)); show no); (show $((1 +\r2)); show no); show a\rb "c\rd" e\r; [ "$x" -eq 5 ] || show $?; [ $'\\r5 ' -eq 5 ] && show $?; [ $'5\\n' -eq 5 ] || show $?; show $((1 \t+\n2)); A=(1\r2 3); show "\${A[@]}"; echo a\rshow no # b\rshow no`,
  // Arrays with text directly after them
  `x='q r'; A=(a  $x 'b  c' "d e" # note
  f*
),$x; show "\${A[@]}" "$A"; A=(1 2); A+=(3),; show "\${A[@]}"; declare -a B=(a b)"c"; show "\${B[@]}"; f() { local A=(--x 1)]; show $A; }; f`,
  // What ends a function, and what is not a condition
  `f() { local m=\${1:?model} t=\${2:-4}; show "$m" $t; }; f a; x=$(f; echo no); show "$x" $?; (f "" || show no); (set -- a; : \${1:?} \${2?two}; show no); g() { shift; : "\${1?}"; show "$1"; }; g a ""; (g a || show no); h() { f "$@"; }; h; show no`,
  `(if $[[ -n "$A" ]]; then show no; fi; show no); x=$(y=$[[ $A == y ]] || echo no; echo no); show "x$x"; (while $[[ 1 -lt 2 ]]; do show no; done; show no); (set -e; if $[[ $A ]]; then :; fi; show no); show $[ 1 + 1 ] '$[[1]]'`,
  // A callback every few lines
  `S=; f() { show "$1" "$2" "\${A[*]}"; }; mapfile -t -O 3 -s 1 -n 3 -C f -c 1 A <<< $'a\\nb  b\\nit\\'s\\nd\\ne'; show "\${A[@]}" "\${!A[@]}"; g() { S+="<$1:$2>"; }; mapfile -C g -c 2 B < <(seq 5); show "$S" \${#B[@]}; mapfile -t -C 'show two' -c 1 C <<< 'x y'; mapfile -t -C g D <<< x; show "$S"`,
  // Keys with blanks, and locals that another function unsets
  `declare -A M=([a]=1 [b c]=2 ["d"]="3 4" [e f]="x y"); show "\${M[a]}" "\${M[b c]}" "\${M[d]}" "\${M[e f]}" \${#M[@]}; A=([1 + 1]=two [0]=z last [0]*4+[1]*2); show "\${!A[@]}" "\${A[@]}"`,
  `x=g; f() { unset x; show "\${x-none}"; x=new; }; h() { local x=4; f; show "\${x-none}"; }; h; show $x; k() { local x=5; unset x; show "\${x-none}"; f; show $x; }; k; show $x; m() { local z=1; n() { unset z; }; n; show "\${z-none}"; }; m`,
  `f() { echo out; return 5; }; o=$(f 2>&1); show $? "$o"; for k in '# c' '' ' x'; do [[ $k =~ ^[[:space:]]*(#|$) ]] && show "skip $k" || show "$k"; done; [[ 10.0.0.1:80 =~ ^([0-9]{1,3}\\.){3}[0-9]+:[0-9]+$ ]] && show address`,
  // A select menu whose answers are in the script
  `select m in a "b c" d; do show "$m" $REPLY; [ "$REPLY" = 3 ] && break; done <<< $'2\\n\\n 3 \\n1'; show "$m" $?; select m in a; do :; done < /dev/null; show $? "$m"; select m in a b; do show "[$m]" "$REPLY"; done <<< $'9\\nx\\n01\\n-1'; set -- p q; select m; do read -r extra; show "$m" "$extra"; done <<< $'2\\nmore\\n1'; select m in; do show no; done <<< 1; show $?`,
  `x=$(select m in a b; do echo "got $m"; done <<< $'1\\n2'); show "$x"; f() { select m in "$@"; do [ $m = quit ] && return 3; show "$m"; done; }; f one quit <<< $'1\\n2\\n1'; show $?`,
  // What leaves a negated command, and the attributes of an array without a first element
  `f() { ! return 3; }; f; show $?; g() { for i in 1 2; do ! continue; done; show $?; ! for i in 1; do ! { false; break; }; done; show $?; }; g; (trap 'show end $?' EXIT; ! { false; exit 3; }); show $?; (if ! { exit 4; }; then show no; fi; show no); show $?`,
  `set -u; declare -A m=([k]=v); : "\${m@A}" "\${m@a}"; a[3]=4; : "\${a@A}"; show on; (: "\${m}"; show no); (: "\${a@Q}"; show no); show end`,
  // Patterns with a hash after a bracket, in substitutions
  `x=$(while IFS= read -r l; do [[ "$l" =~ ^[[:space:]]*(#|$) ]] && continue; [[ $l =~ ^x|#y ]] && echo hash; echo "$l"; done <<< $'# c\\n\\n--lr 1\\n  # d\\na#y'); show "$x"; v=$([[ a#b =~ (a)(#)(b) ]]; echo "\${BASH_REMATCH[2]}"); show "$v" 'q =~ (#| ]]' $'r =~ (#| ]]'; (w=$([[ "#k" == @(#*|b) ]] && echo m); show "$w"); f() { local o; o=$([[ "#a" =~ (x|#) &&
    -n y ]] && echo y); show "$o"; }; f`,
  // A word that is a keyword elsewhere, in substitutions
  `show $(echo x case y) "$(echo "just in case" of 'a case b'; case 1 in 1) echo q;; esac)" $(if true; then case a in (a) echo in case;; esac; else echo no case; fi) "$(for i in case 2; do echo $i case; done)" $(echo case) $(echo \\
    case \\
    x)`,
  // What is declared, and how
  `X="a \\$b \\"c\\" \\\\d"; A=(1 "2 3" [5]='x"y'); declare -A M=([k]=v); declare -i N=4; export E=e; declare -r R=r; declare -l L=Low; declare -a O=(); show "$(declare -p X)" "$(declare -p A)" "$(declare -p N E)" "$(declare -p R)" "$(declare -p L)" "$(declare -p O)"; [[ $(declare -p M) == "declare -A"* ]] && show named; [[ "$(declare -p A 2> /dev/null)" =~ "declare -a" ]] && show list; declare -p X A > f; unset X A; . ./f; show "$X" "\${A[@]}" "\${!A[@]}"; declare -- Z=1; show $? $Z`,
  // Text between NUL bytes, which no variable holds
  `printf '%s\\0' a 'b c' > f; mapfile -t -d '' L < f; show "\${L[@]}"; show $(cat f) "$(printf '%s\\0' x y)"`,
  `while IFS= read -r -d '' x; do show "$x"; done < <(printf '%s\\0' a "b c" d)`,
  `printf '%s\\0' a b | { read -r x; show "$x"; }; printf '%s\\n' a b | { mapfile -d '' L; show "\${L[@]}"; }`,
  `export -f show; printf '%s\\0' "--a b" c | xargs -0 bash -c 'show "$@"' _`,
  // What Bash does not accept
  `f() { declare -g\${1:-a} L; L[1]=x; L[0]="y z"; k=x; declare -\${k}i N=2+3; show "$N"; }; f; show "\${L[@]}"`,
  `g() { declare -g "$1=$2"; }; f() { local X=a; g X b; show "$X"; declare -g X=c Y=d; show "$X" "$Y"; }; f; show "$X"`,
  `f() { local X=1 -a Y=(2); show $? "$X" "\${Y[@]}"; }; f; f() { local -i -r N=1+1; show $N; }; f`,
  `declare -A D=([""]=2 [k]=3); show "\${!D[@]}"`,
  `eval 'show "'; show $?; eval 'show a
show b )'; show $?; set -e; eval 'if' || show failed; eval ')'; show no`,
  `bash -c 'show "'; show $?; echo 'if' > s.sh; bash s.sh; show $?; set -e; bash s.sh; show no`,
  `export -f show; printf '%s\\n' a "'b c'" "it's" d | xargs -I{} bash -c 'show "$@"' _ {}; echo "a it's" | xargs bash -c 'show "$@"' _; echo "a 'b c' d" | xargs bash -c 'show "$@"' _`,
  // ERR traps, and the functions in which they are set
  `m() { trap 'show err $?' ERR; false; (exit 4); g; }; g() { false; true; }; m; false; g; show end`,
  `trap 'show 1 $?' ERR; f() { false; trap 'show 2 $?' ERR; false; }; f; false; h() { trap - ERR; false; true; }; h; false`,
  `m() { ( set -e; trap 'show err $?' ERR; f() { false; }; (exit 4); show no ); }; m; show $?`,
  // What sourced or evaluated text in a condition knows of the condition, and of traps around it
  `echo 'trap "show in" ERR; false; f; g || true; (exit 2)' > e.sh; f() { false; }; g() { false; }; set -E; trap 'show out' ERR; . ./e.sh || show failed; false; if eval 'false; trap - ERR'; then show no; fi; false; trap - ERR; set -e; if . ./e.sh; then show no; fi; trap -p ERR > t; [ -s t ] && show kept; command eval 'false; show on' && show yes; false; show no`,
  `f() { trap 'show r $?; false' RETURN; true; }; (set -e; f || show no; show no); show $?; echo f > s.sh; (set -e; . ./s.sh || show no; show on); g() { trap 'show mine' RETURN; }; h() { trap 'show other' RETURN; g; }; h; h`,
  // A nameref to an element takes no list; an index into an unset variable
  `A=(x y z); (f() { local -n r='A[1]'; r=(p q); show no; }; f; show no); show $?; (f() { local -n r='A[1]'; r+=(s); show no; }; f; show no); declare -n q='A[0]'; q=w; show "\${A[*]}"; declare -n s=A; s=(k l); s+=(m); show "\${A[@]}"`,
  `set -u; unset node; (A=('node[1-3]'); ((A[0]<2)); show no); (A=('node[1-3]'); show $((A[0] + 1)) no); (x='node[1-3]'; [[ x -lt 3 ]]; show no); (A=(4 5); x='A[-1]'; show $((x)) $((A[1 - 2])))`,
  // An invalid number beside an unset variable
  `printf -v X '%05d' a,b $nope; show $?; printf '%d' "$nope" x || show failed; (set -e; printf -v X '%d' 'a' \${nope^^}; show no); printf '%03d' "$nope"; show $?`,
  // RETURN traps that remove themselves
  `echo 'show in' > s.sh; f() { trap 'show out $?; trap - RETURN; return 3' RETURN; return 4; }; f; show $?; . ./s.sh; g() { trap 'show twice; h; . ./s.sh' RETURN; }; h() { show h; }; set -T; g; trap - RETURN; . ./s.sh`,
  // An EXIT trap sees the function and the file in which the shell ends
  `T='show "$x" "\${FUNCNAME[0]}" "\${FUNCNAME[1]}" "$#" "$1" $?'; x=g; f() { local x=l; trap "$T" EXIT; $1; }; g() { local x=m; f "$1"; }; set -- a b c; (g 'exit 3'); (g :); (set -e; g false; show no); (set -e; h() { (g false); }; h; show no); v=$(g 'exit 4'); g 'exit 5' | cat; (trap "$T" EXIT; g 'eval exit 6')`,
  `trap 'show "$1" "\${BASH_SOURCE[0]##*/}" "\${FUNCNAME[0]}"; rm "$d/x"; h' EXIT; h() { show "$FUNCNAME" "$d"; }; echo 'exit 3' > s.sh; f() { local d=/tmp/e; . ./s.sh "$@"; }; f a b`,
  // Positional parameters that a sourced file sets stay, unless a function or another file has been called since
  `echo 'set -- p q; f() { :; }; f' > a.sh; echo 'set -- p q' > b.sh; echo '. ./b.sh z' > c.sh; set -- 1 2 3; . ./a.sh x; show $#; . ./b.sh x; show $#; . ./a.sh; show $#; set -- 1; . ./c.sh y; show $#`,
  `export -f show; echo 'show "$@"' | bash /dev/stdin a "b c"; bash /dev/stdin x <<< 'show "$@" $#'`,
  // Slices of what is not an array, readonly variables and those of Bash itself
  `v=abc; show "\${v[@]:0:1}" "\${v[*]:1}" \${v[@]:1:1} "\${v[@]}"; v=; show "\${v[@]:0:1}" \${v[@]:0:1} x; a=(x y z); show "\${a[@]:1}"; set -- q r; show "\${@:1:1}"`,
  `readonly v=1; export v2=1; v=2 bash -c ':'; for v in a b; do show no; done; show $?; (set -e; for v in a b; do show no; done; show no); show $?`,
  `export -f show; bash <<'E'
f() { UID=3; show no; }; f; show no
show 1; unset UID; show $?; read UID <<< 4; show $?; local_() { local EUID=3; show $?; }; local_; (set -e; export PPID=1; show no); show $?; for UID in 1; do show no; done; show 2
E`,
  `export -f show; echo '"c' | xargs bash -c 'show "$@"' _; printf 'a\\n"c' | xargs bash -c 'show "$@"' _; echo '""' | xargs bash -c 'show q "$@"' _; show end`,
  `show "$(printf 'A=1\\nB="x y"\\n\\nC=it\\n' | xargs -d '\\n')" "$(echo a,b,c | xargs -d,)" "$(printf 'a b/c\\nd' | xargs -d '\\n' -n1 basename)" "$(printf a:b | xargs --delimiter=: -n 1)" "$(echo a b c | xargs -n2 echo x)"`,
  // A quoted character before the first slash keeps a tilde literal
  `HOME=/h; show ~\\'x ~\\/x ~/\\'x \${nope+~\\'} \${nope-~\\'} a=~\\:b ~\\x/y; v=~\\'w; show "$v" "\${v/#~\\'/~}"; case "~'" in ~\\') show same;; esac`,
  // The end of the text ends a heredoc, and its last line
  `while read -r l; do show "$l"; :; done < <(bash -c $'cat <<E\\na\\nb'); eval $'while read -r l; do show "<$l>"; done <<E\\n  a $?\\nE x'; show "$(eval $'cat <<"E"\\na\\\\b')"`,
  // No program is named like an option
  `--lr 3 && show no; show $?; (set -e; show 1; --num-layers 24; show no); show $?; --x || show other; if -y; then show no; else show else; fi`,
  `export -f show; echo | xargs -d, -I% bash -c 'show "$1"' _ x%; printf '\\n\\n' | xargs -d '\\n' -I% bash -c 'show "$1"' _ y%; echo | xargs -I% bash -c 'show no' _ %; show end`,
  // A colon with nothing after it is a bad substitution; a blank, or another colon, is an offset
  `A=(a b) v=abc; (show no "\${v:}"); show $?; (show no \${A[@]:}; show no); show $?; show "\${v: }" "\${v::}" "\${v::2}" "\${v:-}" "\${A[@]:1}"; (set -e; x=\${v:}; show no); show $?`,
  // A prefix assignment to a builtin hides a variable only until it is unset
  `X=0; X=1 eval 'X=2; show $X; unset X; show "\${X-U}"'; show "\${X-U}"; X=1 eval 'unset X; show $X; unset X; show "\${X-U}"'; show "\${X-U}"; X=0; X=1 eval 'unset X; X=5; show $X'; show "$X"; unset X; X=1 eval 'X=2; show $X'; show "\${X-U}"`,
  `X=0; X=1 eval 'X=2 eval "show \\$X; unset X; show \\$X"; show $X; unset X; show $X'; show $X; f() { unset X; show "\${X-U}"; }; X=1 eval f; show $X; f() { local X=l; X=1 eval 'unset X; show $X'; show $X; }; f; show $X; echo 'unset X; show $X' > s.sh; X=1 . ./s.sh; show $X; X=1 X=2 eval 'show $X; unset X; show $X'; show $X; (X=1 eval 'unset X; show $X'); X=1 eval '(unset X; show $X); show $X'`,
];
