// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: 13
// out: hash a3bbe0f9dc134e80
// cost: 23 instructions, 1227400 ticks
module {
  func.func public @main(%arg0: tensor<2x20x8xbf16>, %arg1: tensor<2x1x8xbf16>, %arg2: tensor<i32>) -> (tensor<2x20x8xbf16>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %1 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %arg0, %arg1, %c_1, %2, %c_2 : (tensor<2x20x8xbf16>, tensor<2x1x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x20x8xbf16>
    return %3 : tensor<2x20x8xbf16>
  }
}
