// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<32x32xf32>) -> (tensor<32x32xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
    %24 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<32x32xi32>)
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<32x32xi32>)
    %27 = "stablehlo.add"(%24, %26) : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi32>)
    %28 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<32x32xi32>)
    %29 = "stablehlo.compare"(%27, %28) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi1>)
    %30 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> (tensor<i1>)
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
    %32 = "stablehlo.select"(%29, %2, %31) : (tensor<32x32xi1>, tensor<32x32xi1>, tensor<32x32xi1>) -> (tensor<32x32xi1>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6, %7, %8, %9 = "stablehlo.while"(%32, %5, %4, %0) ({
    ^bb0(%10: tensor<32x32xi1>, %11: tensor<i32>, %12: tensor<i32>, %13: tensor<32x32xf32>):
      %14 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %15 = "stablehlo.compare"(%11, %14) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }, {
    ^bb0(%16: tensor<32x32xi1>, %17: tensor<i32>, %18: tensor<i32>, %19: tensor<32x32xf32>):
      %33 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %34 = "stablehlo.add"(%18, %33) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %35 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32x32xf32>)
      %37 = "stablehlo.multiply"(%19, %36) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
      %38 = "stablehlo.select"(%16, %37, %19) : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
      %22 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %23 = "stablehlo.add"(%17, %22) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%16, %23, %34, %38) : (tensor<32x32xi1>, tensor<i32>, tensor<i32>, tensor<32x32xf32>) -> ()
    }) : (tensor<32x32xi1>, tensor<i32>, tensor<i32>, tensor<32x32xf32>) -> (tensor<32x32xi1>, tensor<i32>, tensor<i32>, tensor<32x32xf32>)
    "stablehlo.return"(%9) : (tensor<32x32xf32>) -> ()
  }
  func.func private @tril(%0: tensor<32x32xi1>) -> (tensor<32x32xi1>) {
    %1 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<32x32xi32>)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<32x32xi32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi32>)
    %5 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<32x32xi32>)
    %6 = "stablehlo.compare"(%4, %5) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi1>)
    %7 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> (tensor<i1>)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
    %9 = "stablehlo.select"(%6, %0, %8) : (tensor<32x32xi1>, tensor<32x32xi1>, tensor<32x32xi1>) -> (tensor<32x32xi1>)
    "stablehlo.return"(%9) : (tensor<32x32xi1>) -> ()
  }
  func.func private @closed_call(%0: tensor<32x32xi1>, %1: tensor<i32>, %2: tensor<32x32xf32>) -> (tensor<i32>, tensor<32x32xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32x32xf32>)
    %7 = "stablehlo.multiply"(%2, %6) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
    %8 = "stablehlo.call"(%0, %7, %2) <{callee = @_where}> : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
    "stablehlo.return"(%4, %8) : (tensor<i32>, tensor<32x32xf32>) -> ()
  }
  func.func private @_where(%0: tensor<32x32xi1>, %1: tensor<32x32xf32>, %2: tensor<32x32xf32>) -> (tensor<32x32xf32>) {
    %3 = "stablehlo.select"(%0, %1, %2) : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
    "stablehlo.return"(%3) : (tensor<32x32xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<32x32xf32>) -> (tensor<32x32xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<32x32xi32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<32x32xi32>)
    %6 = "stablehlo.add"(%3, %5) : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi32>)
    %7 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<32x32xi32>)
    %8 = "stablehlo.compare"(%6, %7) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi1>)
    %9 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> (tensor<i1>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
    %11 = "stablehlo.select"(%8, %2, %10) : (tensor<32x32xi1>, tensor<32x32xi1>, tensor<32x32xi1>) -> (tensor<32x32xi1>)
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %15, %16, %17 = "stablehlo.while"(%13, %12, %0) ({
    ^bb0(%19: tensor<i32>, %20: tensor<i32>, %21: tensor<32x32xf32>):
      %22 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %23 = "stablehlo.compare"(%19, %22) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%23) : (tensor<i1>) -> ()
    }, {
    ^bb0(%25: tensor<i32>, %26: tensor<i32>, %27: tensor<32x32xf32>):
      %36 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<32x32xi32>)
      %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<32x32xi32>)
      %39 = "stablehlo.add"(%36, %38) : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi32>)
      %40 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<32x32xi32>)
      %41 = "stablehlo.compare"(%39, %40) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi1>)
      %42 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
      %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
      %44 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> (tensor<i1>)
      %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
      %46 = "stablehlo.select"(%41, %43, %45) : (tensor<32x32xi1>, tensor<32x32xi1>, tensor<32x32xi1>) -> (tensor<32x32xi1>)
      %28 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %29 = "stablehlo.add"(%26, %28) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %30 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32x32xf32>)
      %32 = "stablehlo.multiply"(%27, %31) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
      %33 = "stablehlo.select"(%46, %32, %27) : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
      %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %35 = "stablehlo.add"(%25, %34) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%35, %29, %33) : (tensor<i32>, tensor<i32>, tensor<32x32xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<32x32xf32>) -> (tensor<i32>, tensor<i32>, tensor<32x32xf32>)
    "stablehlo.return"(%17) : (tensor<32x32xf32>) -> ()
  }
  func.func private @tril(%0: tensor<32x32xi1>) -> (tensor<32x32xi1>) {
    %1 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<32x32xi32>)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<32x32xi32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi32>)
    %5 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<32x32xi32>)
    %6 = "stablehlo.compare"(%4, %5) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> (tensor<32x32xi1>)
    %7 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> (tensor<i1>)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> (tensor<32x32xi1>)
    %9 = "stablehlo.select"(%6, %0, %8) : (tensor<32x32xi1>, tensor<32x32xi1>, tensor<32x32xi1>) -> (tensor<32x32xi1>)
    "stablehlo.return"(%9) : (tensor<32x32xi1>) -> ()
  }
  func.func private @closed_call(%0: tensor<32x32xi1>, %1: tensor<i32>, %2: tensor<32x32xf32>) -> (tensor<i32>, tensor<32x32xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32x32xf32>)
    %7 = "stablehlo.multiply"(%2, %6) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
    %8 = "stablehlo.call"(%0, %7, %2) <{callee = @_where}> : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
    "stablehlo.return"(%4, %8) : (tensor<i32>, tensor<32x32xf32>) -> ()
  }
  func.func private @_where(%0: tensor<32x32xi1>, %1: tensor<32x32xf32>, %2: tensor<32x32xf32>) -> (tensor<32x32xf32>) {
    %3 = "stablehlo.select"(%0, %1, %2) : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>)
    "stablehlo.return"(%3) : (tensor<32x32xf32>) -> ()
  }
}
