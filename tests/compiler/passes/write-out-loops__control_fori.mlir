// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<20x30xf32>, %1: tensor<30x30xf32>) -> (tensor<20x30xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4, %5, %6, %7 = "stablehlo.while"(%1, %3, %2, %0) ({
    ^bb0(%8: tensor<30x30xf32>, %9: tensor<i32>, %10: tensor<i32>, %11: tensor<20x30xf32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %13 = "stablehlo.compare"(%9, %12) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%14: tensor<30x30xf32>, %15: tensor<i32>, %16: tensor<i32>, %17: tensor<20x30xf32>):
      %22 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %23 = "stablehlo.add"(%16, %22) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %24 = "stablehlo.dot_general"(%17, %14) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
      %25 = "stablehlo.tanh"(%24) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
      %20 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %21 = "stablehlo.add"(%15, %20) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%14, %21, %23, %25) : (tensor<30x30xf32>, tensor<i32>, tensor<i32>, tensor<20x30xf32>) -> ()
    }) : (tensor<30x30xf32>, tensor<i32>, tensor<i32>, tensor<20x30xf32>) -> (tensor<30x30xf32>, tensor<i32>, tensor<i32>, tensor<20x30xf32>)
    "stablehlo.return"(%7) : (tensor<20x30xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<30x30xf32>, %1: tensor<i32>, %2: tensor<20x30xf32>) -> (tensor<i32>, tensor<20x30xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.dot_general"(%2, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %6 = "stablehlo.tanh"(%5) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%4, %6) : (tensor<i32>, tensor<20x30xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<20x30xf32>, %1: tensor<30x30xf32>) -> (tensor<20x30xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %26 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %27 = "stablehlo.add"(%25, %26) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %28 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %29 = "stablehlo.tanh"(%28) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %30 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %31 = "stablehlo.add"(%24, %30) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %32 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %33 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %35 = "stablehlo.add"(%33, %34) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %36 = "stablehlo.dot_general"(%29, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %37 = "stablehlo.tanh"(%36) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %38 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %39 = "stablehlo.add"(%32, %38) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %40 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %41 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %42 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %43 = "stablehlo.add"(%41, %42) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %44 = "stablehlo.dot_general"(%37, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %45 = "stablehlo.tanh"(%44) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %46 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %47 = "stablehlo.add"(%40, %46) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %48 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %49 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %51 = "stablehlo.add"(%49, %50) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %52 = "stablehlo.dot_general"(%45, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %53 = "stablehlo.tanh"(%52) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %54 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %55 = "stablehlo.add"(%48, %54) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %56 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> (tensor<i32>)
    %57 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> (tensor<i32>)
    %58 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %59 = "stablehlo.add"(%57, %58) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %60 = "stablehlo.dot_general"(%53, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %61 = "stablehlo.tanh"(%60) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %62 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %63 = "stablehlo.add"(%56, %62) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %64 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
    %65 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.reshape"(%1) : (tensor<30x30xf32>) -> (tensor<30x30xf32>)
    %5 = "stablehlo.reshape"(%64) : (tensor<i32>) -> (tensor<i32>)
    %6 = "stablehlo.reshape"(%65) : (tensor<i32>) -> (tensor<i32>)
    %7 = "stablehlo.reshape"(%61) : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%7) : (tensor<20x30xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<30x30xf32>, %1: tensor<i32>, %2: tensor<20x30xf32>) -> (tensor<i32>, tensor<20x30xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.dot_general"(%2, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %6 = "stablehlo.tanh"(%5) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%4, %6) : (tensor<i32>, tensor<20x30xf32>) -> ()
  }
}
