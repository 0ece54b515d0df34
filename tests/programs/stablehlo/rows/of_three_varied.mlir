// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -6.28322604 7.67895167 -3.86710551 -6.17290802 -3.27885603 -7.691304 0.00652665044 -15.1607349 4.77433164 14.4915903 6.76228613 3.39639987 -0.255062782 -6.49411789 19.4303092 -2.35664487
// cost: 20 instructions, 1953269 ticks
module {
  func.func public @main(%arg0: tensor<1360x3xf32>) -> (tensor<1360x3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1360x3xf32>, tensor<f32>) -> tensor<1360xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1360xf32>) -> tensor<1360x1xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1360x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1360x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1360x1xf32>) -> tensor<1360x3xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1360x3xf32>
    return %5 : tensor<1360x3xf32>
  }
}
