// in: draw 1 0 1 19
// out: 18 17 17 16 18 18 17 18 18 18 18 18
// out: 0 1 0 0 1 1 1 0 2 1 2 1 0 3 0 2 0 4 4 0 0 3 1 2 1 0 3 1 3 1
// out: 18 22 15 12 100 60 228 49 4 22 238 17
// cost: 42 instructions, 4192433 ticks
module {
  func.func public @main(%arg0: tensor<12x30xui8>) -> (tensor<12xui8>, tensor<30xui8>, tensor<12xui8>) {
    %c = stablehlo.constant dense<0> : tensor<ui8>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<12x30xui8>, tensor<ui8>) -> tensor<12xui8>
    %c_0 = stablehlo.constant dense<255> : tensor<ui8>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.minimum across dimensions = [0] : (tensor<12x30xui8>, tensor<ui8>) -> tensor<30xui8>
    %c_1 = stablehlo.constant dense<1> : tensor<ui8>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.add across dimensions = [1] : (tensor<12x30xui8>, tensor<ui8>) -> tensor<12xui8>
    return %0, %1, %2 : tensor<12xui8>, tensor<30xui8>, tensor<12xui8>
  }
}
