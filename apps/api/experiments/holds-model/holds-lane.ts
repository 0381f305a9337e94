import { parentPort, workerData } from 'node:worker_threads';
import { runLane, type Wish } from './holds-lanes.ts';

// A thread of its own: ids of one instant are in order within a process (`newId`), and the clocks of lanes stand elsewhere.
const { url, wish } = workerData as { url: string; wish: Wish };
const said = (line: string) => parentPort?.postMessage({ line });
parentPort?.postMessage({ result: await runLane(url, wish, said) });
