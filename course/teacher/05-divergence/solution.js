require("./divergence.js").main();
