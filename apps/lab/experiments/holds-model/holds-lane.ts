import { parentPort, workerData } from 'node:worker_threads';
import { type Request, runLane } from './holds-lanes.ts';

// A thread of its own: ids of one instant are in order within a process (`newId`), and the clocks of lanes stand elsewhere.
const { url, request } = workerData as { url: string; request: Request };
const said = (line: string) => parentPort?.postMessage({ line });
parentPort?.postMessage({ result: await runLane(url, request, said) });
