// tolerance: 1e-05
// in: draw 6 -1 0.0078125 257
// in: draw 7 -1 0.0078125 257
// in: draw 8 -1 0.0078125 257
// out: sums -2.15979004 -0.196472168 -1.39581299 -2.36407471 -2.29071045 0.556518555 -0.0664672852 0 -0.441894531 0 -1.30444336 -0.654693604 0.512054443 -2.32336426 0.443786621 1.347229
// out: 0.796875 -0.3125 -0.984375 0.953125 1.078125 1.640625 0.2734375 1.515625 -1.6015625 -2.8515625 -0.4453125 -1.28125
// out: sums -0.233999207 0.301705526 0.721739823 -0.34959538 2.31246078 -1.20599977 0.676466633 0 0.262241966 0.224155954 1.7275809 -0.995796433 0.0900931601 0.267544157 -1.98227969 1.21914584
// out: sums -0.272900889 -0.0972290214 0.156775777 0.266867895 2.83395124 -0.346733317 -0.616609829 0 0.372530225 0.301016707 2.33564019 -0.673720891 -0.160278757 0.611221773 -1.94830847 1.70351607
// out: sums 0.0773468018 0.101135254 0.38760376 0.026473999 3.10868835 -0.504852295 -0.90725708 0 -0.0721435547 -0.202957153 2.34091949 -0.99508667 -0.393432617 0.815971375 -1.9427948 2.23886108
func.func @main(%p: tensor<1x2x3x2xf32>, %q: tensor<1x4x6x2xf32>, %r: tensor<1x3x4x2xf32>) -> (tensor<1x4x6x2xf32>, tensor<1x2x3x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>) {
  %a = stablehlo.custom_call @ResizeNearest(%p) {backend_config = "00"} : (tensor<1x2x3x2xf32>) -> tensor<1x4x6x2xf32>
  %b = stablehlo.custom_call @ResizeNearestGrad(%q) {backend_config = "01"} : (tensor<1x4x6x2xf32>) -> tensor<1x2x3x2xf32>
  %c = stablehlo.custom_call @ResizeBilinear(%r) {backend_config = "00"} : (tensor<1x3x4x2xf32>) -> tensor<1x5x7x2xf32>
  %d = stablehlo.custom_call @ResizeBilinear(%r) {backend_config = "01"} : (tensor<1x3x4x2xf32>) -> tensor<1x5x7x2xf32>
  %e = stablehlo.custom_call @ResizeBilinear(%r) {backend_config = "10"} : (tensor<1x3x4x2xf32>) -> tensor<1x5x7x2xf32>
  return %a, %b, %c, %d, %e : tensor<1x4x6x2xf32>, tensor<1x2x3x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>
}
// -----
module @module {
  func.func public @main(%0: tensor<1x2x3x2xf32>, %1: tensor<1x4x6x2xf32>, %2: tensor<1x3x4x2xf32>) -> (tensor<1x4x6x2xf32>, tensor<1x2x3x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>) {
    %3 = "stablehlo.call"(%0) <{callee = @"ResizeNearest 00 (tensor<1x2x3x2xf32>) -> (tensor<1x4x6x2xf32>)"}> : (tensor<1x2x3x2xf32>) -> (tensor<1x4x6x2xf32>)
    %4 = "stablehlo.call"(%1) <{callee = @"ResizeNearestGrad 01 (tensor<1x4x6x2xf32>) -> (tensor<1x2x3x2xf32>)"}> : (tensor<1x4x6x2xf32>) -> (tensor<1x2x3x2xf32>)
    %5 = "stablehlo.call"(%2) <{callee = @"ResizeBilinear 00 (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)"}> : (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)
    %6 = "stablehlo.call"(%2) <{callee = @"ResizeBilinear 01 (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)"}> : (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)
    %7 = "stablehlo.call"(%2) <{callee = @"ResizeBilinear 10 (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)"}> : (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)
    "stablehlo.return"(%3, %4, %5, %6, %7) : (tensor<1x4x6x2xf32>, tensor<1x2x3x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>, tensor<1x5x7x2xf32>) -> ()
  }
  func.func private @"ResizeNearest 00 (tensor<1x2x3x2xf32>) -> (tensor<1x4x6x2xf32>)"(%0: tensor<1x2x3x2xf32>) -> (tensor<1x4x6x2xf32>) {
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 3, 5>}> : (tensor<1x2x3x2xf32>) -> (tensor<1x2x2x3x2x2xf32>)
    %2 = "stablehlo.reshape"(%1) : (tensor<1x2x2x3x2x2xf32>) -> (tensor<1x4x6x2xf32>)
    "stablehlo.return"(%2) : (tensor<1x4x6x2xf32>) -> ()
  }
  func.func private @"ResizeNearestGrad 01 (tensor<1x4x6x2xf32>) -> (tensor<1x2x3x2xf32>)"(%0: tensor<1x4x6x2xf32>) -> (tensor<1x2x3x2xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reshape"(%0) : (tensor<1x4x6x2xf32>) -> (tensor<1x2x2x3x2x2xf32>)
    %3 = "stablehlo.reduce"(%2, %1) <{dimensions = array<i64: 2, 4>}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x3x2x2xf32>, tensor<f32>) -> (tensor<1x2x3x2xf32>)
    "stablehlo.return"(%3) : (tensor<1x2x3x2xf32>) -> ()
  }
  func.func private @"ResizeBilinear 00 (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)"(%0: tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<6.000000238e-01> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %5 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<5x3xf32>)
    %7 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<5x3xf32>)
    %8 = "stablehlo.multiply"(%6, %1) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %9 = "stablehlo.add"(%8, %2) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %10 = "stablehlo.clamp"(%3, %9, %5) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %11 = "stablehlo.subtract"(%10, %7) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %12 = "stablehlo.abs"(%11) : (tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %13 = "stablehlo.subtract"(%4, %12) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %14 = "stablehlo.maximum"(%13, %3) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %15 = "stablehlo.constant"() <{value = dense<5.714285970e-01> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %16 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %17 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %19 = "stablehlo.constant"() <{value = dense<3.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %20 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<7x4xf32>)
    %21 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<7x4xf32>)
    %22 = "stablehlo.multiply"(%20, %15) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %23 = "stablehlo.add"(%22, %16) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %24 = "stablehlo.clamp"(%17, %23, %19) : (tensor<7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %25 = "stablehlo.subtract"(%24, %21) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %26 = "stablehlo.abs"(%25) : (tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %27 = "stablehlo.subtract"(%18, %26) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %28 = "stablehlo.maximum"(%27, %17) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %29 = "stablehlo.convert"(%0) : (tensor<1x3x4x2xf32>) -> (tensor<1x3x4x2xf32>)
    %30 = "stablehlo.dot_general"(%14, %29) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<5x3xf32>, tensor<1x3x4x2xf32>) -> (tensor<5x1x4x2xf32>)
    %31 = "stablehlo.dot_general"(%28, %30) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<7x4xf32>, tensor<5x1x4x2xf32>) -> (tensor<7x5x1x2xf32>)
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<7x5x1x2xf32>) -> (tensor<1x5x7x2xf32>)
    %33 = "stablehlo.convert"(%32) : (tensor<1x5x7x2xf32>) -> (tensor<1x5x7x2xf32>)
    "stablehlo.return"(%33) : (tensor<1x5x7x2xf32>) -> ()
  }
  func.func private @"ResizeBilinear 01 (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)"(%0: tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<6.000000238e-01> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %2 = "stablehlo.constant"() <{value = dense<-2.000000030e-01> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %5 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<5x3xf32>)
    %7 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<5x3xf32>)
    %8 = "stablehlo.multiply"(%6, %1) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %9 = "stablehlo.add"(%8, %2) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %10 = "stablehlo.clamp"(%3, %9, %5) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %11 = "stablehlo.subtract"(%10, %7) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %12 = "stablehlo.abs"(%11) : (tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %13 = "stablehlo.subtract"(%4, %12) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %14 = "stablehlo.maximum"(%13, %3) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %15 = "stablehlo.constant"() <{value = dense<5.714285970e-01> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %16 = "stablehlo.constant"() <{value = dense<-2.142857164e-01> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %17 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %19 = "stablehlo.constant"() <{value = dense<3.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %20 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<7x4xf32>)
    %21 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<7x4xf32>)
    %22 = "stablehlo.multiply"(%20, %15) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %23 = "stablehlo.add"(%22, %16) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %24 = "stablehlo.clamp"(%17, %23, %19) : (tensor<7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %25 = "stablehlo.subtract"(%24, %21) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %26 = "stablehlo.abs"(%25) : (tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %27 = "stablehlo.subtract"(%18, %26) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %28 = "stablehlo.maximum"(%27, %17) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %29 = "stablehlo.convert"(%0) : (tensor<1x3x4x2xf32>) -> (tensor<1x3x4x2xf32>)
    %30 = "stablehlo.dot_general"(%14, %29) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<5x3xf32>, tensor<1x3x4x2xf32>) -> (tensor<5x1x4x2xf32>)
    %31 = "stablehlo.dot_general"(%28, %30) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<7x4xf32>, tensor<5x1x4x2xf32>) -> (tensor<7x5x1x2xf32>)
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<7x5x1x2xf32>) -> (tensor<1x5x7x2xf32>)
    %33 = "stablehlo.convert"(%32) : (tensor<1x5x7x2xf32>) -> (tensor<1x5x7x2xf32>)
    "stablehlo.return"(%33) : (tensor<1x5x7x2xf32>) -> ()
  }
  func.func private @"ResizeBilinear 10 (tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>)"(%0: tensor<1x3x4x2xf32>) -> (tensor<1x5x7x2xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %5 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<5x3xf32>}> : () -> (tensor<5x3xf32>)
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<5x3xf32>)
    %7 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<5x3xf32>)
    %8 = "stablehlo.multiply"(%6, %1) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %9 = "stablehlo.add"(%8, %2) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %10 = "stablehlo.clamp"(%3, %9, %5) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %11 = "stablehlo.subtract"(%10, %7) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %12 = "stablehlo.abs"(%11) : (tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %13 = "stablehlo.subtract"(%4, %12) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %14 = "stablehlo.maximum"(%13, %3) : (tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>)
    %15 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %16 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %17 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %19 = "stablehlo.constant"() <{value = dense<3.000000000e+00> : tensor<7x4xf32>}> : () -> (tensor<7x4xf32>)
    %20 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<7x4xf32>)
    %21 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<7x4xf32>)
    %22 = "stablehlo.multiply"(%20, %15) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %23 = "stablehlo.add"(%22, %16) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %24 = "stablehlo.clamp"(%17, %23, %19) : (tensor<7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %25 = "stablehlo.subtract"(%24, %21) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %26 = "stablehlo.abs"(%25) : (tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %27 = "stablehlo.subtract"(%18, %26) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %28 = "stablehlo.maximum"(%27, %17) : (tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<7x4xf32>)
    %29 = "stablehlo.convert"(%0) : (tensor<1x3x4x2xf32>) -> (tensor<1x3x4x2xf32>)
    %30 = "stablehlo.dot_general"(%14, %29) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<5x3xf32>, tensor<1x3x4x2xf32>) -> (tensor<5x1x4x2xf32>)
    %31 = "stablehlo.dot_general"(%28, %30) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<7x4xf32>, tensor<5x1x4x2xf32>) -> (tensor<7x5x1x2xf32>)
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<7x5x1x2xf32>) -> (tensor<1x5x7x2xf32>)
    %33 = "stablehlo.convert"(%32) : (tensor<1x5x7x2xf32>) -> (tensor<1x5x7x2xf32>)
    "stablehlo.return"(%33) : (tensor<1x5x7x2xf32>) -> ()
  }
}
