/**
 * The text of the web worker that serves, in parts: the engine, which it shares with the server for Node, stands before it as what
 * its only `require` gives.
 * @param engine text of dist/engine.cjs
 * @param worker text of dist/worker.js
 */
export function workerText(engine: string, worker: string): string[] {
  return [
    'const load=(module,exports)=>{',
    engine,
    '\n};let loaded;var require=()=>{if(loaded===undefined){loaded={exports:{}};load(loaded,loaded.exports)}return loaded.exports};\n',
    worker,
  ];
}
