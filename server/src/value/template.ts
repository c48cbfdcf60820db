/**
 * The variable that stands in a script for what a program fills into its text before a shell reads it: Helm, Argo and GitHub for `{{ … }}`. Nothing sets
 * it. What is filled in is there between single quotes as well, where a shell would leave a variable alone.
 */
export const templateVariable = '$WORKFLOW_EXPRESSION';
