import { parentPort, workerData } from 'node:worker_threads';
import { type Request, runLane } from './holds-lanes.ts';

// A separate thread: ids are ordered within a process (`newId`), and lanes' clocks differ.
const { url, request } = workerData as { url: string; request: Request };
const said = (line: string) => parentPort?.postMessage({ line });
parentPort?.postMessage({ result: await runLane(url, request, said) });
