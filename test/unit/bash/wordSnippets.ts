/** Small scripts about the words of a command: quotes, splitting, parameters, arrays and arithmetic. `snippets.ts` says how they are tried. */
export const wordSnippets: readonly string[] = [
  // Quoting
  `show 'a b' "c d" e\\ f g"h"'i'`,
  `show "" '' $'' a""b`,
  `show "a\\$b" 'a\\$b' a\\$b "a\\\\b" "a\\b" a\\b`,
  `show $'a\\tb\\n' $'\\x41\\u00e9' $'it\\'s' $"plain"`,
  `show "a
b" 'c
d' e\\
f`,
  `x=1; show "$x" '$x' \\$x "\${x}2" $x"3"'4'`,
  // Splitting
  `x="a b  c"; show $x "$x" pre$x"post"`,
  `x=" a b "; show $x [$x] "[$x]" a${'$'}{x}b`,
  `x=; show $x "$x" a$x; show $x`,
  `IFS=:; x=a:b::c:; show $x "$x"`,
  `IFS=:; x=:a; show $x; x=" a : b "; show $x`,
  `IFS=" :"; x=" a : b  c::d "; show $x`,
  `IFS=,; x=1,2,3; y=$x; show $y "$y" $x,4`,
  `IFS=; x="a b c"; show $x`,
  `x="a b"; y=$x; show $y; z="$x c"; show $z "$z"`,
  `IFS=-; show a-b $(echo a-b-c)`,
  `unset IFS; x="a b"; show $x`,
  `x='a "b c" d'; show $x`,
  `x="*.nothing [x"; show $x`,
  // Parameters
  `show "\${x-d}" "\${x:-d}" "\${x+s}" "\${x:+s}" "\${x=v}" "$x"`,
  `x=; show "\${x-d}" "\${x:-d}" "\${x+s}" "\${x:+s}" "\${x:=v}" "$x"`,
  `x=1; show "\${x-d}" "\${x:-d}" "\${x+s}" "\${x:+s}" "\${x:=v}" "$x"`,
  `show \${x:-a b "c d"} "\${x:-a b "c d"}"`,
  `y="p q"; show \${x:-$y} "\${x:-$y}" \${x:-"$y"} \${x:-'$y'} "\${x:-'$y'}"`,
  `: "\${A:=1}" "\${B:=$((A+1))}"; : \${C:=\${B}0}; show $A $B $C`,
  `show "\${x:-\${y:-\${z:-deep}}}"`,
  `x=a/b/c.tar.gz; show \${x#*/} \${x##*/} \${x%.*} \${x%%.*} \${x##*.} \${x%/*}`,
  `x=aXbXc; show \${x/X/-} \${x//X/-} \${x//X} \${x/#a/z} \${x/%c/z} \${x//[ab]/_}`,
  `x=abcdef; show \${x:2} \${x:1:3} \${x: -2} \${x:0:-2} \${x:(-3):2} \${#x}`,
  `x="hello World"; show "\${x^}" "\${x^^}" "\${x,}" "\${x,,}" "\${x^^[lo]}"`,
  `a=1; b=a; show \${!b} "\${!b:-x}"; ab=2; ac=3; show \${ab}`,
  `x="a b"; show \${x@Q} "\${x@U}"`,
  `p='b*'; x=abcb; show \${x#a$p} \${x/"b*"/Z} \${x/$p/Z} "\${x/$p/Z}"`,
  `x='a*b'; show \${x%"*"*} \${x%\\**} "\${x#*'*'}"`,
  `x=path/to; show "\${x//\\//_}" "\${x////_}"`,
  `set -- a "b c" d; show $# "$@" ; show $@ ; show "$*" ; show $*; show "x$@y"; show $1 "$2" \${3}`,
  `set -- a "b c" d; IFS=-; show "$*" $* "$@"`,
  `set --; show "$@"; show $@; show "$*"; show a"$@"b; show ""$@`,
  `set -- 1 2 3 4 5 6 7 8 9 10 11; show $10 \${10} \${11}; shift 3; show $1 $#; shift; show "$@"`,
  `set -- a b c d; show "\${@:2}" "\${@:2:2}" "\${@: -1}" \${*:1:2}`,
  `set -- -x foo --y=bar; for i; do show "$i"; done; for i in "$@"; do show $i; done`,
  `set -- a b; show "\${@/a/z}" "\${@#b}" "\${#@}" "\${#}"`,
  // Arrays
  `a=(x "y z" w); show "\${a[@]}" ; show \${a[@]}; show "\${a[*]}"; show \${#a[@]} \${a[1]} \${a[-1]} $a`,
  `a=(); show "\${a[@]}"; show x"\${a[@]}"y; show \${#a[@]}; show "\${a[*]}"`,
  `a=(1 2); a+=(3 "4 5"); a[7]=z; show "\${a[@]}" "\${!a[@]}" \${#a[@]}`,
  `a=(x y z); unset 'a[1]'; show "\${a[@]}" "\${!a[@]}"; a+=(n); show "\${!a[@]}"`,
  `a=([2]=c [0]=a b); show "\${a[@]}" "\${!a[@]}"`,
  `declare -A m=([k]=v ["a b"]="c d"); show "\${m[k]}" "\${m["a b"]}" \${#m[@]} "\${m[none]:-d}"`,
  `declare -A m; m[x]=1; m[y]=2; m[x]+=0; show \${m[x]} \${m[y]}; k=y; show \${m[$k]}`,
  `a=(a1 b2 c3); show "\${a[@]/[0-9]/}" "\${a[@]%?}" "\${a[@]:1}" "\${a[@]:0:2}" "\${a[@]^^}"`,
  `a=(--x [0]*4+[1]*2 # c
 --y \\
 "q r")
show "\${a[@]}"`,
  `i=1; a=(p q r); show \${a[i]} \${a[i+1]} \${a[$i]}; a[i]=Q; a[$i+1]=R; show "\${a[@]}"`,
  `a=(1 2 3); b=("\${a[@]}" 4); c=(\${b[*]}); show \${#c[@]} "\${c[@]: -2}"`,
  `a=x; a+=(y); show "\${a[@]}"; s=p; s+=q; show $s; declare -i n=1; n+=2; show $n`,
  `a=("a b" c); x="\${a[@]}"; show "$x"; y=\${a[*]}; show "$y"`,
  `a=(1 2 3); for i in "\${!a[@]}"; do show "$i=\${a[$i]}"; done`,
  `show "\${u[@]}" "\${u[0]:-d}"; u=(); show \${u[@]+x} \${u[@]:-none}`,
  `a=(a "" b); show "\${a[@]}"; show \${a[@]}; IFS=,; show "\${a[*]}"`,
  // Arithmetic
  `show $((1+2*3)) $((7/2)) $((-7/2)) $((7%3)) $((-7%3)) $((2**10)) $((1<<4)) $((255>>4))`,
  `show $((1==1)) $((1!=1)) $((3>2&&2>1)) $((0||0)) $((!5)) $((~0)) $((5&3)) $((5|3)) $((5^3))`,
  `x=5; show $((x)) $(($x+1)) $((x++)) $x $((++x)) $((x--)) $((x+=3)) $((x*=2)) $x`,
  `show $((0x1f)) $((010)) $((2#101)) $((16#ff)) $((36#z))`,
  `x=2+3; show $((x*2)) $(($x*2)); y=x; show $((y))`,
  `show $((1?2:3)) $((0?2:3)) $((1,2,3)) $(( (1+2)*3 ))`,
  `show $((9223372036854775807+1)) $((2**63)) $((2**64)) $((-2**2)) $((1-1?5:6))`,
  `a=(4 5 6); show $((a[1]+a[2])) $((a[0]++)) \${a[0]}; let "x=3*4" y=x+1; show $x $y`,
  `((x=5)); ((x>3)) && show big; ((x<3)) || show notsmall; (( x == 5 )) && show $?`,
  `x=10; show $((x>5?x*2:x/2)) $(( x % 3 == 1 )); n=3; show $((n*(n+1)/2))`,
  `show $[1+2] $((  ))`,
  `N=4; M=2; show [0]*$N+[1]*$M --freq=[0]*$((N-1))`,
  // Matches in an empty value, and replacements for a match that does not exist
  `shopt -s extglob
a=; show "[\${a/*/x}]" "[\${a/!(a)/x}]" "[\${a//?(b)/x}]" "[\${a/%!(b)/x}]" "[\${a/#*(b)/x}]" "[\${a/@(|b)/x}]" "[\${a/#/x}]"`,
  `A=('' b ''); shopt -s extglob
show "\${A[@]/*/x}" "\${A[@]/!(a)/x}" "\${A[@]/%*(c)/x}"`,
  `x=a.b; show "\${x//,/&&}" "\${x/#b/[&]}" "\${x/%a/\\\\&}"`,
  `set -u; x=one; declare -n r=x; show "\${r[@]}" "\${r[0]}"
show "\${#r[@]}"; show same`,
];
