/**
 * The text of the web worker, in parts: first the engine, which is shared with the server for Node and is what the worker's only `require`
 * returns, then the worker.
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
