import { side } from './device-setting.ts';

export const homePath = '/tabs/menu/explore';
const hirePath = '/tabs/menu/business';

/**
 * Where somebody arrives who asks for nothing particular: at their business, or at registering one, when they came to hire; else at the jobs nearby. The side
 * of this device says it, since signing up sets it with what brings a person here.
 */
export const arrivalPath = (): string => (side.get() === 'hire' ? hirePath : homePath);
