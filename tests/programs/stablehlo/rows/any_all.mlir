// tolerance: 2e-05
// in: draw 1 0 1 7
// out: 0 1 0 1 1 0 0 1 1 1 0 1 1 1
// out: 0 0 0 0 0 0 0 0 0
// out: 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// out: 1 1 1 1 1 1 1 1 1
// cost: 23 instructions, 1536348 ticks
module {
  func.func public @main(%arg0: tensor<14x9xf32>) -> (tensor<14xi1>, tensor<9xi1>, tensor<14xi1>, tensor<9xi1>) {
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14x9xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<14x9xf32>, tensor<14x9xf32>) -> tensor<14x9xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<14x9xi1>, tensor<i1>) -> tensor<14xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14x9xf32>
    %4 = stablehlo.compare GT, %arg0, %3, FLOAT : (tensor<14x9xf32>, tensor<14x9xf32>) -> tensor<14x9xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.reduce(%4 init: %c_1) applies stablehlo.and across dimensions = [0] : (tensor<14x9xi1>, tensor<i1>) -> tensor<9xi1>
    %cst_2 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<14x9xf32>
    %7 = stablehlo.compare GT, %arg0, %6, FLOAT : (tensor<14x9xf32>, tensor<14x9xf32>) -> tensor<14x9xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.reduce(%7 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<14x9xi1>, tensor<i1>) -> tensor<14xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<14x9xf32>
    %10 = stablehlo.compare GT, %arg0, %9, FLOAT : (tensor<14x9xf32>, tensor<14x9xf32>) -> tensor<14x9xi1>
    %c_5 = stablehlo.constant dense<false> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_5) applies stablehlo.or across dimensions = [0] : (tensor<14x9xi1>, tensor<i1>) -> tensor<9xi1>
    return %2, %5, %8, %11 : tensor<14xi1>, tensor<9xi1>, tensor<14xi1>, tensor<9xi1>
  }
}
