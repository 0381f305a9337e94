import { nativePlugin } from './plugins.ts';

export type PhonePosition = { lat: number; lng: number; accuracyM: number };
export type PhonePositionProblem = 'denied' | 'unavailable' | 'timeout' | 'unsupported';

const problems: Record<string, PhonePositionProblem> = {
  'OS-PLUG-GLOC-0003': 'denied',
  'OS-PLUG-GLOC-0008': 'denied',
  'OS-PLUG-GLOC-0009': 'denied',
  'OS-PLUG-GLOC-0010': 'timeout',
};

/** The phone's position; asks for permission. An approximate one has an `accuracyM` of kilometres. */
export async function locatePhone(options: {
  enableHighAccuracy: boolean;
  timeout: number;
  maximumAge: number;
}): Promise<PhonePosition | PhonePositionProblem> {
  const geolocation = nativePlugin('Geolocation');
  if (!geolocation) return 'unsupported';
  try {
    const { coords } = await geolocation.getCurrentPosition(options);
    return { lat: coords.latitude, lng: coords.longitude, accuracyM: Math.round(coords.accuracy) };
  } catch (failure) {
    return problems[String((failure as { code?: unknown } | null)?.code)] ?? 'unavailable';
  }
}
