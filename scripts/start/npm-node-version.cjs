// Loaded into npm before npm itself. npm judges `engines` by the Node that it happens to run on, and leaves out optional packages without a word when that
// Node is too old for them (openai, pdfjs-dist on Node 20). The packages will run on the locked Node, so that is the version npm must judge by.
'use strict';

const version = process.env.AGENTGAUGE_RUNTIME_NODE;
if (version) {
  Object.defineProperty(process, 'version', { value: `v${version}` });
  Object.defineProperty(process.versions, 'node', { value: version });
}
