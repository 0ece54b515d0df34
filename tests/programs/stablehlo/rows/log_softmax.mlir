// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -466.893622 -393.02544 -446.741036 -435.181742 -414.822996 -387.01762 -341.409953 -379.315425 -413.754373 -349.885712 -404.225079 -451.385891 -382.211999 -395.576234 -355.733067 -399.161906
// cost: 10 instructions, 812311 ticks
module {
  func.func public @main(%arg0: tensor<40x30xf32>) -> (tensor<40x30xf32>) {
    %0 = call @log_softmax(%arg0) : (tensor<40x30xf32>) -> tensor<40x30xf32>
    return %0 : tensor<40x30xf32>
  }
  func.func private @log_softmax(%arg0: tensor<40x30xf32>) -> tensor<40x30xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<40xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x30xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<40x30xf32>
    %6 = stablehlo.exponential %5 : tensor<40x30xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %9 = stablehlo.log %8 : tensor<40x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x30xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<40x30xf32>
    return %11 : tensor<40x30xf32>
  }
}
