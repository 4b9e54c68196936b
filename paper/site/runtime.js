// runtime: the program, in a Worker. Questions get answers by their number; while one is answered there may be lines of
// progress and of output. Stopping ends the Worker: the next question starts a new one.
//
// A Worker from an address has the policy with which that address is served, and a static server sends none. A Worker from
// a blob has its page's: so the blob is one line that loads the program, and in it, too, nothing reaches another site.

export class Fault extends Error {
  constructor({ message, file, line }) {
    super(String(message).replace(/\nstack traceback:[^]*$/, ""));
    this.file = file;
    this.line = line;
  }
}

export class Stopped extends Error {}

export class Runtime {
  #url; #worker = null; #waiting = new Map(); #last = 0;

  constructor(url) {
    const program = new URL(url, location.href).href, folder = new URL(".", program).href;
    this.#url = URL.createObjectURL(new Blob(["self.beside = " + JSON.stringify(folder) + "; importScripts(" + JSON.stringify(program) + ");"],
      { type: "text/javascript" }));
  }

  get busy() { return this.#waiting.size > 0; }

  // message: { do: "run", ... } and so on; on: { progress(line), output(text) }.
  ask(message, on = {}) {
    const worker = this.#start(), id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, on });
      worker.postMessage({ ...message, id });
    });
  }

  stop() {
    if (this.#worker) this.#worker.terminate();
    this.#worker = null;
    this.#refuse(new Stopped("stopped"));
  }

  #start() {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#url);
    worker.onmessage = ({ data }) => this.#answer(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker !== worker) return; // one that was stopped while it was loading: no concern of the next
      worker.terminate();
      this.#worker = null;
      this.#refuse(new Fault({ message: event.message || "the program could not be loaded" }));
    };
    this.#worker = worker;
    return worker;
  }

  #answer({ id, progress, output, done, error }) {
    const one = this.#waiting.get(id);
    if (!one) return;
    if (progress !== undefined) one.on.progress?.(progress);
    if (output !== undefined) one.on.output?.(output);
    if (done === undefined && error === undefined) return;
    this.#waiting.delete(id);
    if (error !== undefined) one.reject(new Fault(error)); else one.resolve(done);
  }

  #refuse(why) {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of all) one.reject(why);
  }
}
