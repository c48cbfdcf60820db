import type { BindingContext, Scope } from '../framework.ts';

/** The scopes of Megatron-Core's own checks over the roles that a Megatron engine trains. */
export function megatronScopes(_scope: Scope, _context: BindingContext): Scope[] {
  return [];
}
