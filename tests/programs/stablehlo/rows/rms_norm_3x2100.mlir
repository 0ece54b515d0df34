// tolerance: 5e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -6.93041372 19.3216244 -37.4810582 -7.63519356 -13.6354493 2.53585475 1.98439435 -1.70788581 -14.7518646 23.0826606 -41.5378209 -10.1831452 -32.9249808 -1.56814847 12.6742484 -9.84476208
// cost: 10 instructions, 1215875 ticks
module {
  func.func public @main(%arg0: tensor<3x2100xf32>, %arg1: tensor<2100xf32>) -> (tensor<3x2100xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x2100xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x2100xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %cst_0 = stablehlo.constant dense<2.100000e+03> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<3x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<3x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<3x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x2100xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<3x2100xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2100xf32>) -> tensor<1x2100xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x2100xf32>) -> tensor<3x2100xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<3x2100xf32>
    return %12 : tensor<3x2100xf32>
  }
}
