require("./tree.js").main();
