import * as z from 'zod';

/** A regular expression as text. */
export const pattern = z.string().refine((text) => {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}, 'no regular expression');

/** The name of an environment variable. */
export const environmentName = z.string().regex(/^[A-Z][A-Z0-9_]*$/);

/** Options separated by blanks; a single dash is one too. */
export const options = z.string().regex(/^-\S*(?: -\S*)*$/, 'options begin with a dash');

/** An option with its two dashes. */
export const longOption = z.string().regex(/^--[a-z]+(?:-[a-z]+)*$/);

/** Ways to call a program: its name with fixed sub-commands, or `-m module` for Python modules. Commas stand between them. */
export const calls = z.string().regex(/^\S+(?: \S+)*$/);

/** A flag of a program. */
export const flag = z.string().regex(/^--?[A-Za-z]/, 'a flag begins with a dash');

/** A Python file, by its path from the top of upstream's repository. */
export const source = z.string().endsWith('.py');
