/** When a finding shows, in plain words. */
export function whenOf(phase: string): string {
  return Object.hasOwn(words, phase) ? (words[phase] ?? phase) : phase.replaceAll('-', ' ');
}

const words: { readonly [phase: string]: string } = {
  parse: 'when the options are read',
  startup: 'at startup',
  'model-build': 'while the model is built',
  'first-step': 'in the first step',
  rollout: 'during rollout',
  'weight-update': 'during a weight update',
  checkpoint: 'when a checkpoint is saved or loaded',
  evaluation: 'during evaluation',
  runtime: 'while the job runs',
};
