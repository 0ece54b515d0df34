// in: draw 1 0 1 19
// out: 18 17 17 16 18 18 17 18 18 18 18 18
// out: 0 1 0 0 1 1 1 0 2 1 2 1 0 3 0 2 0 4 4 0 0 3 1 2 1 0 3 1 3 1
// out: 274 278 271 268 356 316 228 305 260 278 238 273
// cost: 30 instructions, 989850 ticks
module {
  func.func public @main(%arg0: tensor<12x30xui32>) -> (tensor<12xui32>, tensor<30xui32>, tensor<12xui32>) {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<12x30xui32>, tensor<ui32>) -> tensor<12xui32>
    %c_0 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.minimum across dimensions = [0] : (tensor<12x30xui32>, tensor<ui32>) -> tensor<30xui32>
    %c_1 = stablehlo.constant dense<1> : tensor<ui32>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.add across dimensions = [1] : (tensor<12x30xui32>, tensor<ui32>) -> tensor<12xui32>
    return %0, %1, %2 : tensor<12xui32>, tensor<30xui32>, tensor<12xui32>
  }
}
