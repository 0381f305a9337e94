export const kioskPinDigits = 4;
export const kioskPinShape = new RegExp(`^\\d{${kioskPinDigits}}$`);

export const pairingCodeDigits = 8;
export const pairingCodeShape = new RegExp(`^\\d{${pairingCodeDigits}}$`);

/** Minutes in which a new tablet must be paired. */
export const pairingMinutes = 15;

/** Tablets of a branch. */
export const kiosksPerBranch = 10;
