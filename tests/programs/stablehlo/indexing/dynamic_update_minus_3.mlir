// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: -3
// out: hash 8f0e90aae3b25f2c
// cost: 43 instructions, 1469045 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<7x9xf32>, %arg2: tensor<i32>) -> (tensor<20x30xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x9xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<7x9xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %3 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %4 = stablehlo.select %2, %3, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %arg2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<30> : tensor<i32>
    %6 = stablehlo.add %arg2, %c_2 : tensor<i32>
    %7 = stablehlo.select %5, %6, %arg2 : tensor<i1>, tensor<i32>
    %8 = stablehlo.dynamic_update_slice %arg0, %1, %4, %7 : (tensor<20x30xf32>, tensor<7x9xf32>, tensor<i32>, tensor<i32>) -> tensor<20x30xf32>
    return %8 : tensor<20x30xf32>
  }
}
