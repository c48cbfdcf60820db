import { remembering } from '../value/remember.ts';

/** A class of a Python text: its bases, and the annotations of its fields. */
interface FieldsOfClass {
  readonly bases: readonly string[];
  readonly fields: ReadonlyMap<string, string>;
}

/** `name: type = …`, or `name: type` alone, which lines of docstrings rarely resemble. */
const field = /^ {4}(_?[a-z]\w*)\s*:\s*(?:([^=]+)=|([A-Za-z_][\w.]*(?:\[[^\]]*\])?(?: \| [\w.]+)*)$)/;

/** The names of all annotated fields of the classes in a text. */
export function declaredFields(python: string): ReadonlySet<string> {
  return new Set([...classesIn(python).values()].flatMap(({ fields }) => [...fields.keys()]));
}

/**
 * Whether the classes of a text accept a dotted name, field by field, starting at any class that has the first field: `actor.loss_type` if the
 * type of a field `actor` has a field `loss_type`.
 */
export function takesName(source: { readonly text: string }, name: string): boolean {
  return annotationsOf(source, name).length > 0;
}

/** Whether the classes of a text annotate a dotted name with a type that accepts strings: `str`, but not `list[str]`. */
export function takesText(source: { readonly text: string }, name: string): boolean {
  return annotationsOf(source, name).some((text) => /\b(?:str|Any)\b/.test(text.replace(severalOf, '')));
}

const severalOf = /\b(?:[Ll]ist|[Dd]ict|[Tt]uple|[Ss]et)\[[^\]]*\]/g;

/** The annotations of a dotted name in the classes of a text; empty if no class has it. */
function annotationsOf(source: { readonly text: string }, name: string): readonly string[] {
  const classes = classesOf(source);
  let reached: readonly string[] = [...classes.keys()];
  let annotations: readonly string[] = [];
  for (const part of name
    .replace(/^\++/, '')
    .replace(/\[\d+\]/g, '')
    .split('.')) {
    annotations = reached.flatMap((each) => annotationOf(part, each, classes) ?? []);
    reached = [...new Set(annotations.flatMap((text) => text.match(/\w+/g) ?? []))].filter((word) =>
      classes.has(word),
    );
  }
  return annotations;
}

/** The annotation of a field in a class or in its bases. */
function annotationOf(
  name: string,
  className: string,
  classes: ReadonlyMap<string, FieldsOfClass>,
): string | undefined {
  const seen = new Set<string>();
  const open = [className];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const found = classes.get(each);
    if (found === undefined || seen.has(each)) continue;
    seen.add(each);
    const annotation = found.fields.get(name);
    if (annotation !== undefined) return annotation;
    open.push(...found.bases);
  }
  return undefined;
}

const classesOf = remembering(({ text }: { readonly text: string }) => classesIn(text));

function classesIn(python: string): ReadonlyMap<string, FieldsOfClass> {
  const out = new Map<string, { readonly bases: readonly string[]; readonly fields: Map<string, string> }>();
  let fields: Map<string, string> | undefined;
  for (const line of python.split('\n')) {
    if (/^\S/.test(line)) {
      const [, name, bases = ''] = /^class\s+(\w+)\s*(?:\(([^)]*)\))?/.exec(line) ?? [];
      fields = name === undefined ? undefined : new Map();
      if (name !== undefined && fields !== undefined)
        out.set(name, { bases: bases.match(/\w+/g) ?? [], fields });
    }
    const [, name, before, alone] = (fields === undefined ? null : field.exec(line)) ?? [];
    if (name !== undefined) fields?.set(name, before ?? alone ?? '');
  }
  return out;
}
